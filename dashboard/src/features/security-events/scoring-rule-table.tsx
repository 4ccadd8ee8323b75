import { Table, Title, VisuallyHidden } from "@mantine/core";

import type { SecurityEvent } from "./event-queries.ts";
import { ExceptionLink } from "./exception-link.tsx";
import { scoringRulesOf } from "./scoring-rules.ts";

interface ScoringRuleTableProps {
  readonly zoneId: string;
  readonly event: SecurityEvent;
}

/** What each rule of the Core Rule Set matched, and the way to an exception for it; nothing for other events. */
export function ScoringRuleTable({ zoneId, event }: ScoringRuleTableProps) {
  const rules = scoringRulesOf(event);
  if (rules.length === 0) return undefined;
  return (
    <div>
      <Title order={2} size="sm" mb="xs">
        What added to the score
      </Title>
      <Table.ScrollContainer minWidth={560}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Rule</Table.Th>
              <Table.Th>Score</Table.Th>
              <Table.Th>Matched</Table.Th>
              <Table.Th>
                <VisuallyHidden>Exception</VisuallyHidden>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rules.map(({ ruleId, description, score, variable, value }) => (
              <Table.Tr key={ruleId}>
                <Table.Td>{description}</Table.Td>
                <Table.Td>{score}</Table.Td>
                <Table.Td className="monospace">
                  {variable}: {value}
                </Table.Td>
                <Table.Td>
                  <ExceptionLink
                    zoneId={zoneId}
                    event={{ ...event, ruleId, ruleMessage: description }}
                    label={`Make an exception for ${description.split(":", 1)[0]}`}
                  />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </div>
  );
}
