import { notifications } from "@mantine/notifications";

import { deleteDnsRecord, dnsRecordsPath, type DnsRecord } from "../../api/dns-records.ts";
import { useApiMutation } from "../../api/query.ts";
import { ConfirmModal } from "../../components/confirm-modal.tsx";

/** Asks before a record is deleted. */
export function DeleteRecord({
  record,
  onDone,
}: {
  readonly record: DnsRecord;
  readonly onDone: () => void;
}) {
  const call = deleteDnsRecord(record.zone_id, record.id);
  const { mutate, isPending, error } = useApiMutation(() => call, {
    invalidates: [dnsRecordsPath(record.zone_id)],
    onSuccess: () => {
      notifications.show({ message: `${record.type} record ${record.name} was deleted.` });
      onDone();
    },
  });
  return (
    <ConfirmModal
      opened
      onClose={onDone}
      title="Delete the record"
      action="Delete"
      pending={isPending}
      error={error}
      call={call}
      onConfirm={() => mutate(undefined)}
    >
      This deletes the {record.type} record <strong>{record.name}</strong> with the content{" "}
      <span className="monospace">{record.content}</span>.
    </ConfirmModal>
  );
}
