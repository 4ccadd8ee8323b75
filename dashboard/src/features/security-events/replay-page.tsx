import { Alert, Button, Card, Group, List, Stack, TextInput } from "@mantine/core";
import { useState } from "react";

import { call } from "../../api/call.ts";
import { useDraft } from "../../components/drafts.tsx";
import { ErrorAlert } from "../../components/error-alert.tsx";
import { FileChoice } from "../../components/file-choice.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { useZoneOfPage } from "../../components/zone-of-page.ts";
import { ofRequests, ReplayProgress } from "./replay-progress.tsx";
import { ReplayResult } from "./replay-result.tsx";
import { useReplay } from "./use-replay.ts";

interface ReplayedFile {
  readonly name: string;
  readonly text: string;
}

const example: ReplayedFile = { name: "requests.har", text: "" };

const leaving = {
  title: "Leave while the replay runs?",
  keep: "Stay",
  text: "Leaving cancels it. The security events of the requests that it has judged are kept.",
};

/** Recorded requests, judged by both versions of the managed rules. */
export function ReplayPage() {
  const { zoneId, zone } = useZoneOfPage();
  const [file, setFile] = useState<ReplayedFile>();
  const [host, setHost] = useState("");
  const isLog = file !== undefined && !/\.(har|json)$/i.test(file.name);
  const callOf = (chosen: ReplayedFile) =>
    call(
      "replayRequests",
      { zone_id: zoneId },
      { file: chosen, fields: isLog && host.trim() !== "" ? { host: host.trim() } : {} },
    );
  const { mutation: replay, progress, cancel } = useReplay();
  useDraft(replay.isPending, leaving);
  const isCancelled = replay.isSuccess && replay.data === undefined;
  const choose = (chosen: ReplayedFile): void => {
    cancel();
    setFile(chosen);
    replay.reset();
  };
  return (
    <>
      <PageHeader
        title="Replay requests"
        of={zone && `${zone.name} › Security › Events`}
        description="Runs recorded requests through both versions of the managed rules. Versions in force write security events. Nothing is sent to the origin."
        calls={[{ title: "Replay a file", call: callOf(file ?? example) }]}
      />
      <Stack gap="lg">
        <Card withBorder padding="lg">
          <Stack gap="md">
            <FileChoice
              label="Choose a HAR file or an access log"
              accept=".har,.json,.log,.txt"
              onFile={choose}
            />
            <List size="sm" c="dimmed" spacing={2}>
              <List.Item>a HAR 1.2, as the developer tools of browsers save it</List.Item>
              <List.Item>an access log in the combined format</List.Item>
              <List.Item>
                at most 16 MiB and 10,000 requests, judged in the order in which they were recorded
              </List.Item>
              <List.Item>
                requests for other hosts are left out; entries that cannot be read are skipped and listed
              </List.Item>
            </List>
            {file !== undefined && (
              <Group gap="md" align="flex-end">
                {isLog && (
                  <TextInput
                    label="Host that the log comes from"
                    placeholder={zone?.name ?? ""}
                    spellCheck={false}
                    value={host}
                    onChange={(event) => setHost(event.currentTarget.value)}
                  />
                )}
                <Button loading={replay.isPending} onClick={() => replay.mutate(callOf(file))}>
                  Replay {file.name}
                </Button>
              </Group>
            )}
            {replay.isPending && <ReplayProgress progress={progress} onCancel={cancel} />}
            {isCancelled && (
              <Alert role="status" title="The replay was cancelled">
                {progress === undefined
                  ? "No request was judged."
                  : `${ofRequests(progress)} were judged. Their security events are kept.`}
              </Alert>
            )}
            <ErrorAlert title="The file was not replayed" error={replay.error} />
          </Stack>
        </Card>
        {replay.data !== undefined && <ReplayResult zoneId={zoneId} report={replay.data} />}
      </Stack>
    </>
  );
}
