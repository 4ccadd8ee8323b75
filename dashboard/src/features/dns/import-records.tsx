import { Button, Group, Stack, Switch, Text, Textarea } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useMemo, useState } from "react";

import {
  dnsRecordsPath,
  importDnsRecords,
  listDnsRecords,
  recordsPerPageMax,
  type DnsRecord,
} from "../../api/dns-records.ts";
import { useApiMutation } from "../../api/query.ts";
import { send } from "../../api/send.ts";
import type { Zone } from "../../api/zones.ts";
import { CurlCommand } from "../../components/curl-command.tsx";
import { FormModal, useDraft } from "../../components/drafts.tsx";
import { ErrorAlert } from "../../components/error-alert.tsx";
import { FileChoice } from "../../components/file-choice.tsx";
import { ImportedRecords } from "./imported-records.tsx";

interface ImportRecordsProps {
  readonly zone: Zone;
  /** What the file begins with; undefined while the dialog is closed. */
  readonly initialText: string | undefined;
  readonly onClose: () => void;
}

/** Imports a BIND zone file, after showing what that changes. */
export function ImportRecords({ zone, initialText, onClose }: ImportRecordsProps) {
  return (
    <FormModal opened={initialText !== undefined} onClose={onClose} title="Import a zone file" size="xl">
      <ImportForm zone={zone} initialText={initialText ?? ""} onDone={onClose} />
    </FormModal>
  );
}

async function listAllRecords(zoneId: string, signal: AbortSignal): Promise<readonly DnsRecord[]> {
  const records: DnsRecord[] = [];
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const call = listDnsRecords(zoneId, { page, per_page: recordsPerPageMax });
    const { result, result_info } = await send(call, signal);
    records.push(...result);
    pages = result_info?.total_pages ?? 1;
  }
  return records;
}

interface ImportFormProps {
  readonly zone: Zone;
  readonly initialText: string;
  readonly onDone: () => void;
}

function ImportForm({ zone, initialText, onDone }: ImportFormProps) {
  const [file, setFile] = useState({ name: "zone.txt", text: initialText });
  const [isProxied, setProxied] = useState(false);
  const text = useDeferredValue(file.text);
  const isWritten = text.trim() !== "";
  useDraft(isWritten);
  // Below the path of the records, so that whatever changes them has them listed anew.
  const comparison = useQuery({
    queryKey: ["api", dnsRecordsPath(zone.id), "all"],
    queryFn: async ({ signal }) => {
      const [{ previewImport }, records] = await Promise.all([
        import("./import-preview.ts"),
        listAllRecords(zone.id, signal),
      ]);
      return { previewImport, records };
    },
    enabled: isWritten,
    gcTime: 0,
  });
  const known = comparison.data;
  const preview = useMemo(
    () => (isWritten && known ? known.previewImport(text, zone.name, known.records) : undefined),
    [isWritten, known, text, zone.name],
  );
  const call = importDnsRecords(zone.id, file, isProxied);
  const { mutate, isPending, error } = useApiMutation(() => call, {
    invalidates: [dnsRecordsPath(zone.id)],
    onSuccess: ({ result }) => {
      notifications.show({
        color: "green",
        message: `${result.recs_added} of ${result.total_records_parsed} records were added.`,
      });
      onDone();
    },
  });
  const isReady = preview !== undefined && "added" in preview && preview.added.length > 0;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        mutate(undefined);
      }}
    >
      <Stack>
        <FileChoice label="Choose a zone file" accept=".txt,.zone,.db,text/plain" onFile={setFile} />
        <Textarea
          label="Zone file"
          description="BIND format. Records are added, all of them or none; nothing is deleted or changed."
          placeholder={"www  300  IN  A  192.0.2.1"}
          autosize
          minRows={5}
          maxRows={12}
          spellCheck={false}
          styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
          value={file.text}
          onChange={(event) => setFile({ ...file, text: event.currentTarget.value })}
        />
        <Switch
          label="Proxy records that can be proxied, unless the file says otherwise"
          checked={isProxied}
          onChange={(event) => setProxied(event.currentTarget.checked)}
        />
        {preview !== undefined && <ImportedRecords preview={preview} />}
        <ErrorAlert title="The preview failed" error={comparison.error} />
        <ErrorAlert title="Nothing was imported" error={error} />
        {isReady && <CurlCommand call={call} />}
        <Group justify="space-between">
          <Text size="sm" c="dimmed" role="status">
            {comparison.isFetching && "Reading the records of the zone…"}
          </Text>
          <Group>
            <Button variant="default" onClick={onDone}>
              Cancel
            </Button>
            <Button type="submit" loading={isPending} disabled={!isReady}>
              Import
            </Button>
          </Group>
        </Group>
      </Stack>
    </form>
  );
}
