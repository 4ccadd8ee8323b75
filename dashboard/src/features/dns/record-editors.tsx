import { Box } from "@mantine/core";
import { useState } from "react";

import type { DnsRecord } from "../../../../src/resources/dns-records/schema.ts";
import type { Zone } from "../../../../src/resources/zones/schema.ts";
import { call } from "../../api/call.ts";
import { useApiMutation } from "../../api/query.ts";
import { bodyOf, draftOf, editOf, emptyDraft, type RecordDraft } from "./record-draft.ts";
import { initialData } from "./record-form-fields.ts";
import { RecordForm } from "./record-form.tsx";
import classes from "./add-record.module.css";
import { showDone } from "../../components/notices.tsx";

interface AddRecordProps {
  readonly zone: Zone;
  readonly onPasteLines: (text: string) => void;
  readonly onDone: () => void;
}

/** New records, one after the other, above the others. */
export function AddRecord({ zone, onPasteLines, onDone }: AddRecordProps) {
  const { mutate, isPending, error } = useCreation(zone.id);
  const [{ round, initial }, setRound] = useState({ round: 0, initial: emptyDraft });
  const goOn = ({ type, ttl, proxied }: RecordDraft): void =>
    setRound({ round: round + 1, initial: { ...emptyDraft, type, ttl, proxied, data: initialData(type) } });
  return (
    <Box p="md" className={classes.form ?? ""}>
      <RecordForm
        key={round}
        label="Add a record"
        draftKey={`add ${round}`}
        openBy="add"
        initial={initial}
        zoneName={zone.name}
        action="Add the record"
        pending={isPending}
        error={error}
        onSubmit={(draft, close) => mutate(draft, { onSuccess: close })}
        onSubmitAndNext={(draft, forget) =>
          mutate(draft, {
            onSuccess: () => {
              forget();
              goOn(draft);
            },
          })
        }
        onPasteLines={onPasteLines}
        onClose={onDone}
      />
    </Box>
  );
}

interface DuplicateRecordProps {
  readonly record: DnsRecord;
  readonly onDone: () => void;
}

/** A new record that begins as a copy of another, below it. */
export function DuplicateRecord({ record, onDone }: DuplicateRecordProps) {
  const { mutate, isPending, error } = useCreation(record.zone_id);
  return (
    <RecordForm
      label={`Duplicate the ${record.type} record ${record.name}`}
      draftKey={`duplicate ${record.id}`}
      initial={draftOf(record)}
      zoneName={record.zone_name}
      action="Add the record"
      pending={isPending}
      error={error}
      onSubmit={(draft, close) => mutate(draft, { onSuccess: close })}
      onClose={onDone}
    />
  );
}

function useCreation(zoneId: string) {
  return useApiMutation((draft: RecordDraft) => call("createDnsRecord", { zone_id: zoneId }, bodyOf(draft)), {
    onSuccess: ({ result }) => showDone(`${result.type} record ${result.name} was added.`),
  });
}

/** A record's fields below its row. */
export function EditRecord({ record, onDone }: { readonly record: DnsRecord; readonly onDone: () => void }) {
  const { mutate, isPending, error } = useApiMutation(
    (draft: RecordDraft) =>
      call("editDnsRecord", { zone_id: record.zone_id, dns_record_id: record.id }, editOf(record, draft)),
    {
      onSuccess: ({ result }) => {
        showDone(`${result.type} record ${result.name} was saved.`);
      },
    },
  );
  return (
    <RecordForm
      label={`Edit the ${record.type} record ${record.name}`}
      draftKey={`edit ${record.id}`}
      initial={draftOf(record)}
      zoneName={record.zone_name}
      action="Save"
      pending={isPending}
      error={error}
      onSubmit={(draft, close) => {
        if (Object.keys(editOf(record, draft)).length === 0) close();
        else mutate(draft, { onSuccess: close });
      }}
      onClose={onDone}
    />
  );
}
