import { Card, Stack, Text, Title } from "@mantine/core";

import type { Outcomes, ReplayReport, ReplayedRequest } from "../../../../src/resources/waf-replay/schema.ts";
import { counted } from "../../components/counted.ts";
import { DataTable, EmptyList, type Column } from "../../components/data-table.tsx";
import { Facts } from "../../components/facts.tsx";
import { AnchorLink } from "../../components/links.tsx";
import { PagedTable } from "../../components/paged-table.tsx";
import { rowsAtHand } from "../../components/rows-at-hand.ts";
import { dateAndTime } from "../../components/timestamp.tsx";
import { Acted, type ActingRule } from "./event-words.tsx";

interface ReplayResultProps {
  readonly zoneId: string;
  readonly report: ReplayReport;
}

/** The effects of both versions on the requests, and the differences between them. */
export function ReplayResult({ zoneId, report }: ReplayResultProps) {
  const { requests, new: acted } = report;
  return (
    <Stack gap="lg" role="region" aria-label="Results of the replay">
      <Card withBorder padding="lg">
        <Stack gap="md">
          <Title order={2}>{counted(requests.judged, "request")} judged</Title>
          <Facts
            facts={{
              "New version":
                report.new_configuration === "deployed"
                  ? "the zone's rules"
                  : "the rules that a migration would create",
              ...(requests.other_hosts > 0 && { "For other hosts": requests.other_hosts }),
              ...(requests.unreadable > 0 && { Skipped: requests.unreadable }),
              ...(requests.decided_earlier > 0 && { "Decided by an earlier rule": requests.decided_earlier }),
              "Security events": (
                <AnchorLink
                  inherit
                  to="/zones/$zoneId/security/events"
                  params={{ zoneId }}
                  search={{ span: "hour" }}
                >
                  {report.events} written
                </AnchorLink>
              ),
            }}
          />
          <OutcomesOfVersions report={report} />
        </Stack>
      </Card>
      {report.previous !== null && (
        <Listed
          title="Passed by the new version, stopped by the previous one"
          count={report.passed_by_new_count}
          rows={report.passed_by_new}
          empty="The new version stops every judged request that the previous one stops"
        />
      )}
      <Listed
        title="Acted on by the new version"
        count={acted.block + acted.challenge + acted.log}
        rows={report.acted_on_by_new}
        empty="The new version acts on none of the judged requests"
      />
      {requests.unreadable > 0 && <Skipped report={report} />}
    </Stack>
  );
}

interface VersionOutcomes extends Outcomes {
  readonly version: string;
}

/** The number of requests that each version blocked, challenged, logged and passed. */
function OutcomesOfVersions({ report }: { readonly report: ReplayReport }) {
  const versions: VersionOutcomes[] = [{ version: "New version", ...report.new }];
  if (report.previous !== null) versions.push({ version: "Previous version", ...report.previous });
  return (
    <DataTable
      label="Outcomes of the versions"
      query={rowsAtHand(versions)}
      rowId={({ version }) => version}
      columns={outcomeColumns}
      empty={<EmptyList title="No version" />}
    />
  );
}

const outcomeColumns: readonly Column<VersionOutcomes>[] = [
  { key: "version", header: "Version", cell: ({ version }) => version },
  { key: "block", header: "Blocked", cell: ({ block }) => block },
  { key: "challenge", header: "Challenged", cell: ({ challenge }) => challenge },
  { key: "log", header: "Logged", cell: ({ log }) => log },
  { key: "pass", header: "Passed", cell: ({ pass }) => pass },
];

interface ListedProps {
  readonly title: string;
  readonly count: number;
  /** The first of them. */
  readonly rows: readonly ReplayedRequest[];
  readonly empty: string;
}

function Listed({ title, count, rows, empty }: ListedProps) {
  return (
    <Stack gap="xs">
      <Title order={2}>
        {title} ({count.toLocaleString("en")})
      </Title>
      <FirstOf count={count} listed={rows.length} />
      <PagedTable
        label={title}
        rows={rows}
        rowId={({ entry }) => String(entry)}
        columns={requestColumns}
        empty={<EmptyList title={empty} />}
      />
    </Stack>
  );
}

function FirstOf({ count, listed }: { readonly count: number; readonly listed: number }) {
  return listed < count && <Text size="sm">The first {listed.toLocaleString("en")} are listed.</Text>;
}

/** The entries or lines of the file that were not judged, with their reasons. */
function Skipped({
  report: { format, requests, unreadable_entries: entries },
}: Pick<ReplayResultProps, "report">) {
  const what = format === "har" ? "entry" : "line";
  const title = `Skipped ${format === "har" ? "entries" : "lines"}`;
  return (
    <Stack gap="xs">
      <Title order={2}>
        {title} ({requests.unreadable.toLocaleString("en")})
      </Title>
      <FirstOf count={requests.unreadable} listed={entries.length} />
      <PagedTable
        label={title}
        rows={entries}
        rowId={({ entry }) => String(entry)}
        columns={[
          {
            key: "entry",
            header: what === "line" ? "Line" : "Entry",
            width: "5rem",
            cell: ({ entry }) => entry,
          },
          { key: "reason", header: "Why", cell: ({ reason }) => `The ${what} ${reason}` },
        ]}
        empty={<EmptyList title="None" />}
      />
    </Stack>
  );
}

const requestColumns: readonly Column<ReplayedRequest>[] = [
  { key: "entry", header: "Entry", width: "5rem", cell: ({ entry }) => entry },
  {
    key: "recorded",
    header: "Recorded",
    width: "9rem",
    cell: ({ recorded_on: at }) => (at === null ? "–" : dateAndTime(at)),
  },
  {
    key: "request",
    header: "Request",
    cell: ({ method, url }) => (
      <Text size="sm" className="monospace" lineClamp={3}>
        {method} {url}
      </Text>
    ),
  },
  {
    key: "new",
    header: "New version",
    width: "22%",
    cell: ({ new: rule }) => <Acted rule={actingRule(rule)} />,
  },
  {
    key: "previous",
    header: "Previous version",
    width: "22%",
    cell: ({ previous }) => <Acted rule={actingRule(previous)} />,
  },
  {
    key: "score",
    header: "OWASP score",
    width: "7.5rem",
    cell: ({ owasp_scores: scores }) => (
      <Text size="sm" style={{ whiteSpace: "pre-line" }}>
        {`PL1: ${scores.paranoia_level_1}\nPL2: ${scores.paranoia_level_2}`}
      </Text>
    ),
  },
];

function actingRule(rule: ReplayedRequest["new"]): ActingRule | undefined {
  return rule === null
    ? undefined
    : { action: rule.action, name: rule.description || rule.rule_id, score: rule.score };
}
