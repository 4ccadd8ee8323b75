import { Button, Card, Group, Stack, Text, Textarea, Title } from "@mantine/core";
import { useState } from "react";

import { call } from "../../api/call.ts";
import { useApiMutation } from "../../api/query.ts";
import { CurlCommand } from "../../components/curl-command.tsx";
import { useDraft } from "../../components/drafts.tsx";
import { ErrorAlert } from "../../components/error-alert.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { useZoneOfPage } from "../../components/zone-frame.tsx";
import { readBatch } from "./batch-text.ts";
import { Form } from "../../components/form.tsx";
import { showDone } from "../../components/notices.tsx";

const example = { posts: [{ type: "A", name: "www", content: "192.0.2.1" }] };

/** Changes of many records at once: those that are found in the DNS, and those that somebody has as JSON. */
export function DnsBatchPage() {
  const { zoneId, zone } = useZoneOfPage();
  return (
    <>
      <PageHeader
        title="DNS scan and batch"
        of={zone?.name}
        calls={[
          { title: "Scan for records", call: call("scanDnsRecords", { zone_id: zoneId }) },
          { title: "Change many records", call: call("batchDnsRecords", { zone_id: zoneId }, example) },
        ]}
      />
      <Stack gap="lg" maw="48rem">
        <Scan zoneId={zoneId} />
        <Batch zoneId={zoneId} />
      </Stack>
    </>
  );
}

function Scan({ zoneId }: { readonly zoneId: string }) {
  const { mutate, isPending, error, data } = useApiMutation(() =>
    call("scanDnsRecords", { zone_id: zoneId }),
  );
  return (
    <Card withBorder padding="lg">
      <Title order={2} mb="xs">
        Scan
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        Looks common names of the domain up in the public DNS, and adds the records that it finds.
      </Text>
      <Stack>
        <Group>
          <Button variant="default" loading={isPending} onClick={() => mutate(undefined)}>
            Scan for records
          </Button>
        </Group>
        {data !== undefined && (
          <Text size="sm" role="status">
            {data.result.total_records_parsed} found, {data.result.recs_added} added.
          </Text>
        )}
        <ErrorAlert title="Nothing was added" error={error} />
      </Stack>
    </Card>
  );
}

function Batch({ zoneId }: { readonly zoneId: string }) {
  const [text, setText] = useState("");
  useDraft(text.trim() !== "");
  const read = readBatch(text);
  const request = call("batchDnsRecords", { zone_id: zoneId }, "body" in read ? read.body : {});
  const { mutate, isPending, error } = useApiMutation(() => request, {
    onSuccess: () => {
      showDone("The whole batch was carried out.");
      setText("");
    },
  });
  return (
    <Card withBorder padding="lg">
      <Title order={2} mb="xs">
        Batch
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        Records to delete, change, replace and add, as the API takes them: all of it happens, or nothing.
      </Text>
      <Form
        onSend={() => {
          if ("body" in read) mutate(undefined);
        }}
      >
        <Textarea
          label="Batch, as JSON"
          placeholder={JSON.stringify(example, undefined, 2)}
          autosize
          minRows={8}
          maxRows={24}
          spellCheck={false}
          styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          error={"gap" in read && read.gap !== "" && read.gap}
        />
        {"body" in read && (
          <>
            <Text size="sm" role="status">
              {read.sentence}
            </Text>
            <CurlCommand call={request} />
          </>
        )}
        <ErrorAlert title="Nothing was changed" error={error} />
        <Group>
          <Button type="submit" loading={isPending} disabled={!("body" in read)}>
            Send the batch
          </Button>
        </Group>
      </Form>
    </Card>
  );
}
