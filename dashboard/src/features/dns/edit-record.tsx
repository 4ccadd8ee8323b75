import { notifications } from "@mantine/notifications";

import type { DnsRecord } from "../../../../src/resources/dns-records/schema.ts";
import { call } from "../../api/call.ts";
import { useApiMutation } from "../../api/query.ts";
import { draftOf, editOf, type RecordDraft } from "./record-draft.ts";
import { RecordForm } from "./record-form.tsx";

/** A record's fields below its row. */
export function EditRecord({ record, onDone }: { readonly record: DnsRecord; readonly onDone: () => void }) {
  const { mutate, isPending, error } = useApiMutation(
    (draft: RecordDraft) =>
      call("editDnsRecord", { zone_id: record.zone_id, dns_record_id: record.id }, editOf(record, draft)),
    {
      onSuccess: ({ result }) => {
        notifications.show({ color: "green", message: `${result.type} record ${result.name} was saved.` });
        onDone();
      },
    },
  );
  return (
    <RecordForm
      label={`Edit the ${record.type} record ${record.name}`}
      initial={draftOf(record)}
      zoneName={record.zone_name}
      action="Save"
      pending={isPending}
      error={error}
      onSubmit={(draft) => {
        if (Object.keys(editOf(record, draft)).length === 0) onDone();
        else mutate(draft);
      }}
      onCancel={onDone}
    />
  );
}
