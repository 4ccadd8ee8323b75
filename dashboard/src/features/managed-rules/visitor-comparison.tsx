import { ArrowPathIcon } from "@heroicons/react/24/outline";
import { ActionIcon, Card, Group, NativeSelect, Stack, Text, Title } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";

import type { MigrationReport } from "../../../../src/resources/waf-replay/schema.ts";
import { call } from "../../api/call.ts";
import { useApi } from "../../api/query.ts";
import { EmptyList } from "../../components/data-table.tsx";
import { Pending } from "../../components/error-alert.tsx";
import { Facts } from "../../components/facts.tsx";
import { AnchorLink } from "../../components/links.tsx";
import { spanOf, spans, type Span } from "../security-events/spans.ts";
import { ProposedExceptions, Scores, StoppingRules } from "./comparison-tables.tsx";
import { verdictOf } from "./comparison-verdict.ts";

const route = getRouteApi("/shell/zones/$zoneId/security/waf/managed-rules");

/** The effects of both versions on the requests of visitors, and exceptions that would make them agree. */
export function VisitorComparison({ zoneId }: { readonly zoneId: string }) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const span = spanOf(search.span);
  const { data, error, isFetching, refetch } = useApi(
    call("reportMigration", { zone_id: zoneId }, { hours: span.milliseconds / 3_600_000 }),
  );
  return (
    <Stack gap="lg">
      <Group gap="xs">
        <NativeSelect
          aria-label="Time"
          data={spans.map(({ value, label }) => ({ value, label }))}
          value={span.value}
          onChange={(event) => {
            const chosen = spans.find(({ value }) => value === event.currentTarget.value);
            void navigate({ search: { ...search, span: chosen?.value }, replace: true, resetScroll: false });
          }}
        />
        <ActionIcon
          variant="default"
          size={36}
          aria-label="Refresh"
          loading={isFetching}
          onClick={() => void refetch()}
        >
          <ArrowPathIcon width={18} aria-hidden />
        </ActionIcon>
      </Group>
      {data !== undefined ? (
        <Report zoneId={zoneId} span={span.value} report={data.result} />
      ) : (
        <Pending
          height={280}
          title="The versions could not be compared"
          error={error}
          onRetry={() => void refetch()}
        />
      )}
    </Stack>
  );
}

interface ReportProps {
  readonly zoneId: string;
  readonly span: Span;
  readonly report: MigrationReport;
}

function Report({ zoneId, span, report }: ReportProps) {
  const { requests, migration_state: state } = report;
  const verdict = verdictOf(report);
  const isCompared = state === "validation";
  const alone = isCompared ? " that alone stopped requests" : " that stopped requests";
  if (verdict === undefined) return <NoVisitors zoneId={zoneId} report={report} />;
  return (
    <>
      <Card withBorder padding="lg" component="section" aria-labelledby="comparison-verdict">
        <Title order={2} id="comparison-verdict" mb="md">
          {verdict}
        </Title>
        {!report.is_complete && (
          <Text size="sm" mb="md">
            The counts are of all security events of this time. The rules, exceptions and scores below are of
            the newest {report.events_read.toLocaleString("en")}: choose a shorter time to see those of all.
          </Text>
        )}
        <Facts
          facts={{
            ...(isCompared && {
              "Stopped by both": requests.both,
              "Only by the new version": requests.only_new,
              "Only by the previous version": requests.only_previous,
            }),
            "Logged, but not stopped": requests.none,
          }}
        />
      </Card>
      <StoppingRules
        zoneId={zoneId}
        span={span}
        title={`Rules of the previous version${alone}`}
        rules={report.stopped_only_by_previous}
      />
      <StoppingRules
        zoneId={zoneId}
        span={span}
        title={`Rules of the new version${alone}`}
        rules={report.stopped_only_by_new}
      />
      <ProposedExceptions zoneId={zoneId} exceptions={report.exceptions} />
      {/* Only events of the new version tell scores. */}
      {state !== "start" && <Scores scores={report.owasp_scores} />}
    </>
  );
}

function NoVisitors({ zoneId, report }: Omit<ReportProps, "span">) {
  return (
    <Card withBorder padding="xl">
      <EmptyList title="No visitor's request met a managed rule in this time">
        <Text size="sm" mb="xs">
          {report.events_read === 0
            ? "The zone has no security events of this time."
            : "None of its security events of this time is about a visitor and the managed rules."}
        </Text>
        Visitors are compared once an edge serves the zone: see{" "}
        <AnchorLink underline="always" inherit to="/zones/$zoneId/edge" params={{ zoneId }}>
          what the edge is missing
        </AnchorLink>
        . Until then,{" "}
        <AnchorLink underline="always" inherit to="/zones/$zoneId/security/events/replay" params={{ zoneId }}>
          replay recorded requests
        </AnchorLink>
        .
      </EmptyList>
    </Card>
  );
}
