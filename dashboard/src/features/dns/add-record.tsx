import { Box } from "@mantine/core";
import { notifications } from "@mantine/notifications";

import { createDnsRecord, dnsRecordsPath } from "../../api/dns-records.ts";
import { useApiMutation } from "../../api/query.ts";
import type { Zone } from "../../api/zones.ts";
import classes from "./add-record.module.css";
import { bodyOf, emptyDraft, type RecordDraft } from "./record-draft.ts";
import { RecordForm } from "./record-form.tsx";

/** A new record, above the others. */
export function AddRecord({ zone, onDone }: { readonly zone: Zone; readonly onDone: () => void }) {
  const { mutate, isPending, error } = useApiMutation(
    (draft: RecordDraft) => createDnsRecord(zone.id, bodyOf(draft)),
    {
      invalidates: [dnsRecordsPath(zone.id)],
      onSuccess: ({ result }) => {
        notifications.show({ color: "green", message: `${result.type} record ${result.name} was added.` });
        onDone();
      },
    },
  );
  return (
    <Box p="md" className={classes.form ?? ""}>
      <RecordForm
        label="Add a record"
        initial={emptyDraft}
        zoneName={zone.name}
        action="Add the record"
        pending={isPending}
        error={error}
        onSubmit={mutate}
        onCancel={onDone}
      />
    </Box>
  );
}
