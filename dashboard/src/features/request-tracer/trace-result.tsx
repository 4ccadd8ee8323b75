import { Alert, Card, Code, Group, Stack, Switch, Text, Title } from "@mantine/core";
import { useState } from "react";

import type { TraceStep } from "../../../../src/core/judging/trace-step.ts";
import type { Zone } from "../../../../src/resources/zones/schema.ts";
import type { ResultOf } from "../../api/call.ts";
import { TraceSteps } from "./trace-steps.tsx";
import type { TracedRequest } from "./traced-request.ts";

interface TraceResultProps {
  readonly zone: Zone;
  readonly request: TracedRequest;
  readonly result: ResultOf<"traceRequest">;
}

/** What becomes of the request, and the rules on its way. */
export function TraceResult({ zone, request, result }: TraceResultProps) {
  const [showsAll, setShowsAll] = useState(false);
  const { status_code: status, origin_request: origin, trace } = result;
  const hasMatch = trace.some(({ matched }) => matched);
  return (
    <Stack gap="md" role="region" aria-label="Result of the trace">
      <Alert
        color={status === undefined ? "green" : "red"}
        role="status"
        title={
          status === undefined ? "The request reaches the origin" : `A rule answers with status ${status}`
        }
      >
        {hasMatch ? "The rules that it met follow in their order." : "It met no rule."}
      </Alert>
      <Group justify="space-between">
        <Title order={2}>Rules</Title>
        <Switch
          label="Show rules that did not match"
          checked={showsAll}
          onChange={(event) => setShowsAll(event.currentTarget.checked)}
        />
      </Group>
      {shownSteps(trace, showsAll).map((step) => (
        <TraceSteps key={step.step_name} zone={zone} request={request} step={step} showsAll={showsAll} />
      ))}
      {origin !== undefined && (
        <Card withBorder padding="md">
          <Title order={2} size="sm" mb="xs">
            The request as the origin gets it
          </Title>
          <Code block tabIndex={0} role="region" aria-label="Request to the origin" mah={260}>
            {[
              `${request.method} ${origin.url}`,
              ...origin.headers.map(({ name, value }) => `${name}: ${value}`),
            ].join("\n")}
          </Code>
          <Text size="xs" c="dimmed" mt={4}>
            Without the headers that an edge adds by itself.
          </Text>
        </Card>
      )}
    </Stack>
  );
}

/** Those that matched, or all. */
export function shownSteps(steps: readonly TraceStep[], showsAll: boolean): readonly TraceStep[] {
  return showsAll ? steps : steps.filter(({ matched }) => matched);
}
