import { Alert, Button, Card, Group, Select, Textarea } from "@mantine/core";
import { useState } from "react";

import { call } from "../../api/call.ts";
import { useApiMutation } from "../../api/query.ts";
import { ConfirmModal } from "../../components/confirm-modal.tsx";
import { CurlCommand } from "../../components/curl-command.tsx";
import { useDraft } from "../../components/drafts.tsx";
import { ErrorAlert } from "../../components/error-alert.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { useZoneOfPage } from "../../components/zone-frame.tsx";
import { Form } from "../../components/form.tsx";
import { showDone } from "../../components/notices.tsx";

/** The extent of a purge: all of the zone, or the items of a list. */
const ways = {
  purge_everything: { label: "Everything", of: "", example: "" },
  files: { label: "URLs", of: "Whole addresses", example: "https://www.example.com/css/style.css" },
  hosts: { label: "Hosts", of: "Host names of the zone; Enterprise", example: "www.example.com" },
  tags: { label: "Tags", of: "Cache tags of the origin's answers; Enterprise", example: "release-42" },
  prefixes: { label: "Prefixes", of: "A host name and a path; Enterprise", example: "www.example.com/css" },
} as const;
type Way = keyof typeof ways;

const purge = (zoneId: string, way: Way, items: readonly string[]) =>
  call("purgeCache", { zone_id: zoneId }, way === "purge_everything" ? { [way]: true } : { [way]: items });

export function PurgePage() {
  const { zoneId, zone } = useZoneOfPage();
  const [way, setWay] = useState<Way>("files");
  const [text, setText] = useState("");
  const [isAsking, setAsking] = useState(false);
  useDraft(text.trim() !== "");
  const items = text.split(/\s+/).filter((item) => item !== "");
  const request = purge(zoneId, way, items);
  const { mutate, isPending, error, reset } = useApiMutation(() => request, {
    onSuccess: () => {
      showDone("The purge was accepted.");
      setText("");
      setAsking(false);
    },
  });
  const { label, of, example } = ways[way];
  const isAll = way === "purge_everything";
  return (
    <>
      <PageHeader
        title="Purge the cache"
        of={zone?.name}
        calls={[
          { title: "Purge everything", call: purge(zoneId, "purge_everything", []) },
          { title: "Purge by URL", call: purge(zoneId, "files", [ways.files.example]) },
        ]}
      />
      <Card withBorder padding="lg" maw="48rem">
        <Form
          onSend={() => {
            if (isAll) setAsking(true);
            else mutate(undefined);
          }}
        >
          <Alert color="blue" role="note">
            Zoneward holds no cache itself: it checks the request as the public service does, and logs it.
          </Alert>
          <Select
            label="What to purge"
            allowDeselect={false}
            data={Object.entries(ways).map(([value, { label: name }]) => ({ value, label: name }))}
            value={way}
            onChange={(next) => {
              setWay(next as Way);
              reset();
            }}
          />
          {!isAll && (
            <Textarea
              label={label}
              description={`${of}; one on each line`}
              placeholder={example}
              autosize
              minRows={4}
              maxRows={16}
              spellCheck={false}
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
              error={error?.within(`/${way}`)}
            />
          )}
          {!isAll && items.length > 0 && <CurlCommand call={request} />}
          {!isAsking && (
            <ErrorAlert
              title="Nothing was purged"
              error={error}
              saidAt={error?.pointersWithin([`/${way}`]) ?? []}
            />
          )}
          <Group>
            <Button type="submit" loading={isPending} disabled={!isAll && items.length === 0}>
              Purge {isAll ? "everything" : label}
            </Button>
          </Group>
        </Form>
      </Card>
      {isAsking && zone !== undefined && (
        <ConfirmModal
          opened
          onClose={() => setAsking(false)}
          title="Purge everything"
          action="Purge everything"
          typed={zone.name}
          pending={isPending}
          error={error}
          call={request}
          onConfirm={() => mutate(undefined)}
        >
          Whatever is cached of the zone has to be fetched from the origin again.
        </ConfirmModal>
      )}
    </>
  );
}
