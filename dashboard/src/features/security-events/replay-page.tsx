import { Button, Card, Group, List, Loader, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";

import { useApiMutation } from "../../api/query.ts";
import { replayRequests } from "../../api/waf-replay.ts";
import { ErrorAlert } from "../../components/error-alert.tsx";
import { FileChoice } from "../../components/file-choice.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { useZoneOfPage } from "../../components/zone-of-page.ts";
import { ReplayResult } from "./replay-result.tsx";

interface ReplayedFile {
  readonly name: string;
  readonly text: string;
}

const example: ReplayedFile = { name: "requests.har", text: "" };

/** Recorded requests, judged by both versions of the managed rules. */
export function ReplayPage() {
  const { zoneId, zone } = useZoneOfPage();
  const [file, setFile] = useState<ReplayedFile>();
  const [host, setHost] = useState("");
  const isLog = file !== undefined && !/\.(har|json)$/i.test(file.name);
  const callOf = (chosen: ReplayedFile) => replayRequests(zoneId, chosen, isLog ? host.trim() : "");
  const replay = useApiMutation(callOf, { invalidates: ["/graphql"] });
  const choose = (chosen: ReplayedFile): void => {
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
              <List.Item>at most 16 MiB and 10,000 requests; those for other hosts are left out</List.Item>
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
                <Button loading={replay.isPending} onClick={() => replay.mutate(file)}>
                  Replay {file.name}
                </Button>
                {replay.isPending && (
                  <Group gap="xs" role="status">
                    <Loader size="xs" aria-hidden />
                    <Text size="sm">The requests are checked one after another.</Text>
                  </Group>
                )}
              </Group>
            )}
            <ErrorAlert title="The file was not replayed" error={replay.error} />
          </Stack>
        </Card>
        {replay.data !== undefined && <ReplayResult zoneId={zoneId} report={replay.data.result} />}
      </Stack>
    </>
  );
}
