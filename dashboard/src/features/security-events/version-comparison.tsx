import { Alert, Anchor, Card, Stack, Text, Title } from "@mantine/core";

import { call } from "../../api/call.ts";
import { useApi } from "../../api/query.ts";
import { EmptyList, type Column } from "../../components/data-table.tsx";
import { Pending } from "../../components/error-alert.tsx";
import { Facts } from "../../components/facts.tsx";
import { PagedTable } from "../../components/paged-table.tsx";
import { verdictOf } from "../managed-rules/comparison-verdict.ts";
import { Acted, type ActingRule } from "./event-words.tsx";
import { compareVersions, type ComparedRequest } from "./compare-versions.ts";
import { eventsMax, requestLine, type SecurityEvent } from "./event-queries.ts";
import type { EventsSearch } from "./search.ts";
import { spanOf } from "./spans.ts";

interface VersionComparisonProps extends ListedDifferencesProps {
  readonly zoneId: string;
  readonly search: EventsSearch;
}

/**
 * Compares both versions of the managed rules by all requests of visitors, and lists requests in which they differ.
 */
export function VersionComparison({ zoneId, search, ...listed }: VersionComparisonProps) {
  return (
    <Stack gap="lg">
      <ComparedVisitors zoneId={zoneId} search={search} />
      <ListedDifferences {...listed} />
    </Stack>
  );
}

function ComparedVisitors({ zoneId, search }: Pick<VersionComparisonProps, "zoneId" | "search">) {
  const span = spanOf(search.span);
  const { data, error, refetch } = useApi(
    call("reportMigration", { zone_id: zoneId }, { hours: span.milliseconds / 3_600_000 }),
  );
  if (data === undefined)
    return (
      <Pending
        height={140}
        title="The requests could not be counted"
        error={error}
        onRetry={() => void refetch()}
      />
    );
  const { requests } = data.result;
  return (
    <Card withBorder padding="lg" component="section" aria-labelledby="compared-visitors">
      <Title order={2} id="compared-visitors" mb="xs">
        {verdictOf(data.result) ?? "No visitor’s request met a managed rule in this time."}
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        Of all requests of visitors, {span.label.toLowerCase()}; filters, traces and replays do not count
        here.
      </Text>
      <Facts
        facts={{
          "Stopped by both": requests.both,
          "Only by the new version": requests.only_new,
          "Only by the previous version": requests.only_previous,
          "Logged, but not stopped": requests.none,
        }}
      />
    </Card>
  );
}

interface ListedDifferencesProps {
  readonly events: readonly SecurityEvent[];
  /** Whether there are no others that meet the filters. */
  readonly isComplete: boolean;
  readonly onSearch: (change: EventsSearch) => void;
}

function ListedDifferences({ events, isComplete, onSearch }: ListedDifferencesProps) {
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
    <>
      {!isComplete && (
        <Alert color="yellow" title="Not all requests are listed">
          The lists below are of the newest {eventsMax.toLocaleString()} events; other differences may be
          among the older ones. Choose a shorter time or a filter to see them.
        </Alert>
      )}
      {sections.map(({ title, rows, empty }) => (
        <Stack key={title} gap="xs">
          <Title order={2}>
            {title} ({isComplete ? rows.length : `${rows.length} listed`})
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
    </>
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
