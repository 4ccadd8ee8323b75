import { notifications } from "@mantine/notifications";
import { useCallback } from "react";

import type { DnsRecord, DnsRecordBody } from "../../../../src/resources/dns-records/schema.ts";
import type { ApiError } from "../../api/api-error.ts";
import { call, type BodyOf } from "../../api/call.ts";
import { useApiMutation } from "../../api/query.ts";
import { offerUndo } from "../../components/undo.tsx";
import { restoredBody } from "./record-draft.ts";

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
  notifications.show({ color: "green", message: happened(records, what) });
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
