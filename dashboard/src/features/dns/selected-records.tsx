import { TrashIcon } from "@heroicons/react/24/outline";
import { Box, Button, Group, Select, Text } from "@mantine/core";

import type { DnsRecord, DnsRecordBody } from "../../../../src/resources/dns-records/schema.ts";
import { ErrorAlert } from "../../components/error-alert.tsx";
import { proxiableTypes } from "./record-type-hints.ts";
import { ttlChoices, ttlText } from "./ttl.ts";
import type { useRecordChanges } from "./use-record-changes.tsx";
import classes from "./selected-records.module.css";

interface SelectedRecordsProps {
  readonly records: readonly DnsRecord[];
  readonly changes: ReturnType<typeof useRecordChanges>;
  readonly onClear: () => void;
}

/** What can be done with all selected records at once. */
export function SelectedRecords({ records, changes, onClear }: SelectedRecordsProps) {
  const edit = (change: DnsRecordBody): void => changes.editAll(records, change);
  const canBeProxied = records.every(({ type }) => proxiableTypes.has(type));
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

/** Why nothing was changed. */
export function RecordChangesError({ changes }: Pick<SelectedRecordsProps, "changes">) {
  return <ErrorAlert title="Nothing was changed" error={changes.error} />;
}
