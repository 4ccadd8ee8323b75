import { Anchor, Stack, Title } from "@mantine/core";

import { requestLine, type SecurityEvent } from "../../api/security-events.ts";
import { EmptyList, type Column } from "../../components/data-table.tsx";
import { PagedTable } from "../../components/paged-table.tsx";
import { Acted, type ActingRule } from "./acted.tsx";
import { compareVersions, type ComparedRequest } from "./compare-versions.ts";
import type { EventsSearch } from "./search.ts";

interface VersionComparisonProps {
  readonly events: readonly SecurityEvent[];
  /** Whether there are no others in the chosen time. */
  readonly isComplete: boolean;
  readonly onSearch: (change: EventsSearch) => void;
}

/** Where both versions of the managed rules differ. */
export function VersionComparison({ events, isComplete, onSearch }: VersionComparisonProps) {
  const { passedByNew, stoppedByNew, stoppedByBoth } = compareVersions(events);
  const sections = [
    {
      title: "Passed by the new version, stopped by the previous one",
      rows: passedByNew,
      empty: "The new version stops everything that the previous one stops",
    },
    {
      title: "Stopped only by the new version",
      rows: stoppedByNew,
      empty: "The new version stops nothing that the previous one passes",
    },
    { title: "Stopped by both", rows: stoppedByBoth, empty: "No request is stopped by both" },
  ];
  return (
    <Stack gap="lg">
      {sections.map(({ title, rows, empty }) => (
        <Stack key={title} gap="xs">
          <Title order={2}>
            {title} ({rows.length})
          </Title>
          <PagedTable
            label={title}
            rows={rows}
            rowId={({ rayName }) => rayName}
            columns={columns(onSearch)}
            empty={<EmptyList title={isComplete ? empty : "None among the newest events"} />}
          />
        </Stack>
      ))}
    </Stack>
  );
}

function columns(onSearch: (change: EventsSearch) => void): readonly Column<ComparedRequest>[] {
  return [
    {
      key: "request",
      header: "Request",
      cell: ({ rayName, new: byNew, previous }) => {
        const event = byNew ?? previous;
        return (
          <Anchor
            component="button"
            type="button"
            size="sm"
            ta="start"
            className="monospace"
            onClick={() => onSearch({ ray: rayName })}
          >
            {event && requestLine(event)}
          </Anchor>
        );
      },
    },
    {
      key: "new",
      header: "New version",
      width: "30%",
      cell: ({ new: byNew }) => <Acted rule={actingRule(byNew)} />,
    },
    {
      key: "previous",
      header: "Previous version",
      width: "30%",
      cell: ({ previous }) => <Acted rule={actingRule(previous)} />,
    },
  ];
}

function actingRule(event: SecurityEvent | undefined): ActingRule | undefined {
  return event && { action: event.action, name: event.ruleMessage || event.ruleId };
}
