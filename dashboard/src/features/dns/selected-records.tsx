import { TrashIcon } from "@heroicons/react/24/outline";
import { Box, Button, Group, Select, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useCallback } from "react";

import { isProxiableType } from "../../../../src/core/dns/content/proxiable.ts";
import type { DnsRecord, DnsRecordBody } from "../../../../src/resources/dns-records/schema.ts";
import type { ApiError } from "../../api/api-error.ts";
import { call, type BodyOf } from "../../api/call.ts";
import { useApiMutation } from "../../api/query.ts";
import { ErrorAlert } from "../../components/error-alert.tsx";
import { offerUndo, showDone } from "../../components/notices.tsx";
import { restoredBody } from "./record-draft.ts";
import { ttlChoices, ttlText } from "./record-form-fields.ts";
import classes from "./selected-records.module.css";

interface SelectedRecordsProps {
  readonly records: readonly DnsRecord[];
  readonly changes: ReturnType<typeof useRecordChanges>;
  readonly onClear: () => void;
}

/** Actions on all selected records at once. */
export function SelectedRecords({ records, changes, onClear }: SelectedRecordsProps) {
  const edit = (change: DnsRecordBody): void => changes.editAll(records, change);
  const canBeProxied = records.every(({ type }) => isProxiableType(type));
  return (
    <Box className={classes.bar ?? ""} p="sm" role="region" aria-label="Selected records">
      <Group gap="sm">
        <Text size="sm" fw={600} role="status">
          {records.length} selected
        </Text>
        <Select
          aria-label="TTL of the selected records"
          placeholder="Set the TTL"
          size="xs"
          w={140}
          value={null}
          data={ttlChoices.map((seconds) => ({ value: String(seconds), label: ttlText(seconds) }))}
          onChange={(ttl) => ttl !== null && edit({ ttl: Number(ttl) })}
        />
        <Button
          size="xs"
          variant="default"
          disabled={!canBeProxied}
          title={canBeProxied ? undefined : "Only A, AAAA and CNAME records can be proxied"}
          onClick={() => edit({ proxied: true })}
        >
          Proxy
        </Button>
        <Button size="xs" variant="default" disabled={!canBeProxied} onClick={() => edit({ proxied: false })}>
          DNS only
        </Button>
        <Button
          size="xs"
          variant="light"
          color="red"
          loading={changes.isPending}
          leftSection={<TrashIcon width={16} aria-hidden />}
          onClick={() => changes.deleteAll(records)}
        >
          Delete
        </Button>
        <Button size="xs" variant="subtle" onClick={onClear}>
          Clear the selection
        </Button>
      </Group>
    </Box>
  );
}

export function RecordChangesError({ changes }: Pick<SelectedRecordsProps, "changes">) {
  return <ErrorAlert title="Nothing was changed" error={changes.error} />;
}

interface RecordChanges {
  /** Deletes records at once; the notice that says so can bring them back, with new ids. */
  readonly deleteAll: (records: readonly DnsRecord[]) => void;
  /** Gives records the same new fields, all of them or none. */
  readonly editAll: (records: readonly DnsRecord[], change: DnsRecordBody) => void;
  readonly isPending: boolean;
  readonly error: ApiError | null;
}

/** Changes several records of a zone in one request. `onDone` is called after a success. */
export function useRecordChanges(zoneId: string, onDone: () => void): RecordChanges {
  const { mutate, isPending, error } = useApiMutation((batch: BodyOf<"batchDnsRecords">) =>
    call("batchDnsRecords", { zone_id: zoneId }, batch),
  );
  const deleteAll = useCallback(
    (records: readonly DnsRecord[]): void => {
      const restore = (): void =>
        mutate(
          { posts: records.map(restoredBody) },
          {
            onSuccess: () => announce(records, "restored"),
            onError: ({ message }) =>
              notifications.show({
                color: "red",
                title: `${nameOf(records)} could not be restored`,
                message,
                autoClose: false,
              }),
          },
        );
      mutate(
        { deletes: records.map(({ id }) => ({ id })) },
        {
          onSuccess: () => {
            onDone();
            offerUndo(happened(records, "deleted"), restore);
          },
        },
      );
    },
    [mutate, onDone],
  );
  const editAll = (records: readonly DnsRecord[], change: DnsRecordBody): void =>
    mutate(
      { patches: records.map(({ id }) => ({ id, ...change })) },
      {
        onSuccess: () => {
          onDone();
          announce(records, "changed");
        },
      },
    );
  return { deleteAll, editAll, isPending, error };
}

function announce(records: readonly DnsRecord[], what: string): void {
  showDone(happened(records, what));
}

function happened(records: readonly DnsRecord[], what: string): string {
  return `${nameOf(records)} ${records.length === 1 ? "was" : "were"} ${what}.`;
}

function nameOf(records: readonly DnsRecord[]): string {
  const [only] = records;
  return records.length === 1 && only !== undefined
    ? `${only.type} record ${only.name}`
    : `${records.length} records`;
}
