import { Button, Group, Switch, Text, Textarea } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { memo, useCallback, useEffect, useMemo, useRef, useState } from "react";

import { proxiableRule } from "../../../../src/core/dns/content/proxiable.ts";
import type { DnsRecord, ImportResult } from "../../../../src/resources/dns-records/schema.ts";
import type { Zone } from "../../../../src/resources/zones/schema.ts";
import { plainText } from "../../api/api-error.ts";
import { type ApiCall, call, type FileBody } from "../../api/call.ts";
import { useApi, useApiMutation } from "../../api/query.ts";
import { send } from "../../api/send.ts";
import { counted } from "../../components/counted.ts";
import { CurlCommand } from "../../components/curl-command.tsx";
import { FormModal, useDraft } from "../../components/drafts.tsx";
import { ErrorAlert } from "../../components/error-alert.tsx";
import { FileChoice } from "../../components/file-choice.tsx";
import { useSliced } from "../../components/slices.ts";
import { ImportOutcome, type Outcome } from "./import-outcome.tsx";
import { leftOutOf, noChoices, planImport } from "./import-plan.ts";
import { ImportReader, type BadLine, type ImportPreview } from "./import-preview.ts";
import { ImportedRecords } from "./imported-records.tsx";
import { Form } from "../../components/form.tsx";
import { showDone } from "../../components/notices.tsx";

interface ImportRecordsProps {
  readonly zone: Zone;
  readonly initialText: string;
  readonly onClose: () => void;
}

/** Imports a BIND zone file, after showing what that changes. */
export function ImportRecords({ zone, initialText, onClose }: ImportRecordsProps) {
  const [outcome, setOutcome] = useState<Outcome>();
  return (
    <FormModal opened onClose={onClose} title="Import a zone file" size="xl">
      {outcome === undefined ? (
        <ImportForm zone={zone} initialText={initialText} onCancel={onClose} onDone={setOutcome} />
      ) : (
        <ImportOutcome outcome={outcome} onClose={onClose} />
      )}
    </FormModal>
  );
}

/** Read without a pause of the page. */
const recordsAtOnce = 1_000;

async function listAllRecords(zoneId: string, signal: AbortSignal): Promise<readonly DnsRecord[]> {
  const records: DnsRecord[] = [];
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const request = call("listDnsRecords", { zone_id: zoneId }, { page, per_page: recordsAtOnce });
    const { result, result_info } = await send(request, signal);
    records.push(...result);
    pages = result_info?.total_pages ?? 1;
  }
  return records;
}

/** The preview of a file, by its text and the records of the zone; and whether it is of the current text. */
function usePreview(zone: Zone, text: string) {
  const isWritten = text.trim() !== "";
  // Below the path of the records, so that whatever changes them has them listed anew.
  const comparison = useQuery({
    queryKey: ["api", call("listDnsRecords", { zone_id: zone.id }).path, "all"],
    queryFn: async ({ signal }) => {
      return new ImportReader(zone.name, await listAllRecords(zone.id, signal));
    },
    enabled: isWritten,
    gcTime: 0,
    // The preview is no JSON.
    structuralSharing: false,
  });
  const reader = comparison.data;
  const begin = useMemo(
    () => (isWritten && reader !== undefined ? () => reader.read(text) : undefined),
    [isWritten, reader, text],
  );
  const { result: preview, isCurrent } = useSliced<ImportPreview>(begin);
  return { preview: isWritten ? preview : undefined, isCurrent, ...comparison };
}

interface FileFieldProps {
  readonly text: string;
  readonly onChange: (text: string) => void;
}

/** A field that is not rendered with every key that is pressed in it. */
const FileField = memo(({ text, onChange }: FileFieldProps) => (
  <Textarea
    label="Zone file"
    description="BIND format. Records are added; those that cannot be are passed over, and named. Nothing else is changed unless you choose it."
    placeholder={"www  300  IN  A  192.0.2.1"}
    rows={8}
    spellCheck={false}
    styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
    defaultValue={text}
    onChange={(event) => onChange(event.currentTarget.value)}
  />
));

interface ImportFormProps {
  readonly zone: Zone;
  readonly initialText: string;
  readonly onCancel: () => void;
  readonly onDone: (outcome: Outcome) => void;
}

function ImportForm({ zone, initialText, onCancel, onDone }: ImportFormProps) {
  const [file, setFile] = useState({ name: "zone.txt", text: initialText });
  // The field keeps its own text, which React would write anew with every key; another revision gives it another one.
  const [given, setGiven] = useState({ text: initialText, revision: 0 });
  const give = useCallback((next: FileBody["file"]): void => {
    setFile(next);
    setGiven(({ revision }) => ({ text: next.text, revision: revision + 1 }));
  }, []);
  const write = useCallback((text: string): void => setFile(({ name }) => ({ name, text })), []);
  const [choices, setChoices] = useState(noChoices);
  useDraft(file.text.trim() !== "");
  const { preview, isCurrent, isFetching, error: listError } = usePreview(zone, file.text);
  const networks = useApi(call("getEdges", { account_id: zone.account.id })).data?.result.origin_networks;
  const plan = useMemo(
    () => preview && planImport(zone.id, file, preview, choices, proxiableRule(networks ?? [])),
    [zone.id, file, preview, choices, networks],
  );
  const latest = useRef(file);
  useEffect(() => {
    latest.current = file;
  }, [file]);
  // The same one always, so that the lists are not made again with every key.
  const correct = useCallback(
    ({ line, text: before }: BadLine, correction: string): void => {
      const { name, text } = latest.current;
      const lines = text.split("\n").toSpliced(line - 1, before.split("\n").length, correction);
      give({ name, text: lines.join("\n") });
    },
    [give],
  );
  const { mutate, isPending, error } = useApiMutation((importing: ApiCall<unknown>) => importing, {
    onSuccess: ({ result, messages }) => {
      if (preview === undefined || plan === undefined) return;
      const { recs_added: added = plan.records.length } = result as Partial<ImportResult>;
      const said = messages.map(({ message }) => plainText(message));
      const leftOut = leftOutOf(preview, choices, said);
      const outcome = { added, deleted: plan.deletes.length, leftOut, ownCount: preview.ownCount };
      if (leftOut.length > 0 || preview.ownCount > 0 || added < plan.records.length) {
        onDone(outcome);
        return;
      }
      showDone(`${counted(added, "record was", "records were")} added.`);
      onCancel();
    },
  });
  const isReady = isCurrent && plan !== undefined && plan.records.length > 0 && plan.undecided.length === 0;
  return (
    <Form
      onSend={() => {
        if (plan !== undefined) mutate(plan.call());
      }}
    >
      <FileChoice label="Choose a zone file" accept=".txt,.zone,.db,text/plain" onFile={give} />
      <FileField key={given.revision} text={given.text} onChange={write} />
      <Switch
        label="Proxy records that can be proxied, unless the file says otherwise"
        checked={choices.isProxied}
        onChange={(event) => setChoices({ ...choices, isProxied: event.currentTarget.checked })}
      />
      {preview !== undefined && (
        <ImportedRecords preview={preview} choices={choices} onChoose={setChoices} onCorrect={correct} />
      )}
      <ErrorAlert title="The preview failed" error={listError} />
      <ErrorAlert title="Nothing was imported" error={error} />
      {isReady && plan.records.length <= recordsInCommandMax && <CurlCommand call={plan.call()} />}
      <Group justify="space-between">
        <Text size="sm" c="dimmed" role="status">
          {isFetching
            ? "Reading the records of the zone…"
            : plan !== undefined &&
              plan.undecided.length > 0 &&
              `${counted(plan.undecided.length, "bad line")} to correct or skip`}
        </Text>
        <Group>
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={isPending} disabled={!isReady}>
            {plan === undefined || plan.deletes.length === 0 ? "Import" : "Import and replace"}
          </Button>
        </Group>
      </Group>
    </Form>
  );
}

const recordsInCommandMax = 100;
