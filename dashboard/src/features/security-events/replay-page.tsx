import { Alert, Button, Card, Group, List, Stack, TextInput, Progress, Text } from "@mantine/core";
import { useState, useCallback, useEffect, useRef } from "react";
import { useMutation, useQueryClient, type UseMutationResult } from "@tanstack/react-query";

import { call, type ApiCall } from "../../api/call.ts";
import { useDraft } from "../../components/drafts.tsx";
import { ErrorAlert } from "../../components/error-alert.tsx";
import { FileChoice } from "../../components/file-choice.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { useZoneOfPage } from "../../components/zone-frame.tsx";
import { ReplayResult } from "./replay-result.tsx";
import type { ReplayProgress, ReplayReport } from "../../../../src/resources/waf-replay/schema.ts";
import { dateAndTime } from "../../components/timestamp.tsx";
import type { ApiError } from "../../api/api-error.ts";
import { invalidate } from "../../api/query.ts";
import { sendFollowed } from "../../api/send.ts";

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
            {replay.isPending && <ProgressCard progress={progress} onCancel={cancel} />}
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

interface ProgressCardProps {
  /** Undefined until the server has read the file. */
  readonly progress: ReplayProgress | undefined;
  readonly onCancel: () => void;
}

/** The progress of a replay, and the button that ends it. */
function ProgressCard({ progress, onCancel }: ProgressCardProps) {
  const { judged = 0, requests = 0, recorded_on: recordedOn = null } = progress ?? {};
  return (
    <Stack gap="xs">
      <Group gap="md" wrap="nowrap">
        <Progress.Root flex={1}>
          <Progress.Section
            value={requests === 0 ? 0 : (100 * judged) / requests}
            aria-label="Progress of the replay"
          />
        </Progress.Root>
        <Button variant="default" size="xs" onClick={onCancel}>
          Cancel
        </Button>
      </Group>
      <Text size="sm" c="dimmed">
        {progress === undefined
          ? "The file is being sent and read."
          : `${ofRequests(progress)} judged${recordedOn === null ? "" : `, recorded until ${dateAndTime(recordedOn)}`}.`}{" "}
        Leaving this page cancels the replay.
      </Text>
    </Stack>
  );
}

/** `2,400 of 10,000 requests`. */
function ofRequests({ judged, requests }: ReplayProgress): string {
  return `${judged.toLocaleString("en")} of ${requests.toLocaleString("en")} requests`;
}

interface Replay {
  /** Answers undefined where it was cancelled. */
  readonly mutation: UseMutationResult<ReplayReport | undefined, ApiError, ApiCall<ReplayReport>>;
  /** The last that the server said. */
  readonly progress: ReplayProgress | undefined;
  /** Ends it on the server too. */
  readonly cancel: () => void;
}

/** Replays a recording while the page is open, and follows how far it is. */
function useReplay(): Replay {
  const client = useQueryClient();
  const [progress, setProgress] = useState<ReplayProgress>();
  const running = useRef<AbortController>(null);
  const cancel = useCallback(() => running.current?.abort(), []);
  useEffect(() => cancel, [cancel]);
  const mutation = useMutation<ReplayReport | undefined, ApiError, ApiCall<ReplayReport>>({
    mutationFn: async (replay) => {
      setProgress(undefined);
      running.current = new AbortController();
      const { signal } = running.current;
      try {
        const follow = (said: unknown): void => setProgress(said as ReplayProgress);
        return (await sendFollowed(replay, follow, signal)).result;
      } catch (error) {
        if (signal.aborted) return undefined;
        throw error;
      }
    },
    // Requests that were judged have their events, however the replay ended.
    onSettled: () => invalidate(client, call("queryGraphql", {}, { query: "" })),
  });
  return { mutation, progress, cancel };
}
