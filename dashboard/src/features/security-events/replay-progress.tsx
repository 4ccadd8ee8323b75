import { Button, Group, Progress, Stack, Text } from "@mantine/core";

import type { ReplayProgress as ProgressOfReplay } from "../../../../src/resources/waf-replay/schema.ts";
import { dateAndTime } from "../../components/timestamp.tsx";

interface ReplayProgressProps {
  /** Undefined until the server has read the file. */
  readonly progress: ProgressOfReplay | undefined;
  readonly onCancel: () => void;
}

/** How far a replay is, and the button that ends it. */
export function ReplayProgress({ progress, onCancel }: ReplayProgressProps) {
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
export function ofRequests({ judged, requests }: ProgressOfReplay): string {
  return `${judged.toLocaleString("en")} of ${requests.toLocaleString("en")} requests`;
}
