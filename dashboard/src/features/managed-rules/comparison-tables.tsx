import { Badge, Stack, Text, Title } from "@mantine/core";

import type { Rule } from "../../../../src/core/rulesets/rule.ts";
import type { RulesetHead } from "../../../../src/core/rulesets/ruleset.ts";
import type { MigrationReport } from "../../../../src/resources/waf-replay/schema.ts";
import { call } from "../../api/call.ts";
import { useApi } from "../../api/query.ts";
import { DataTable, EmptyList, type Column } from "../../components/data-table.tsx";
import { AnchorLink } from "../../components/links.tsx";
import { PagedTable } from "../../components/paged-table.tsx";
import { rowsAtHand } from "../../components/rows-at-hand.ts";
import type { Span } from "../security-events/spans.ts";
import { useEntryPoint } from "./entry-point.ts";
import { madeException, type MadeException } from "./made-exception.ts";
import { NewExceptionLink } from "./new-exception-link.tsx";
import { RuleText } from "./rule-text.tsx";

type StoppingRule = MigrationReport["stopped_only_by_new"][number];
type Exception = MigrationReport["exceptions"][number];
type Score = MigrationReport["owasp_scores"][number];

interface StoppingRulesProps {
  readonly zoneId: string;
  /** In which the examples are. */
  readonly span: Span;
  readonly title: string;
  readonly rules: readonly StoppingRule[];
}

/** The rules of a version that stopped requests which the other let pass; nothing where there are none. */
export function StoppingRules({ zoneId, span, title, rules }: StoppingRulesProps) {
  if (rules.length === 0) return undefined;
  return (
    <Stack gap="xs">
      <Title order={2}>{title}</Title>
      <PagedTable
        label={title}
        rows={rules}
        rowId={({ ruleset_id, rule_id }) => `${ruleset_id} ${rule_id}`}
        columns={stoppingColumns(zoneId, span)}
        empty={undefined}
      />
    </Stack>
  );
}

function stoppingColumns(zoneId: string, span: Span): readonly Column<StoppingRule>[] {
  return [
    {
      key: "rule",
      header: "Rule",
      cell: ({ description, rule_id }) => (
        <>
          <Text size="sm" fw={500}>
            {description || rule_id}
          </Text>
          {description !== "" && (
            <Text size="xs" c="dimmed" className="monospace">
              {rule_id}
            </Text>
          )}
        </>
      ),
    },
    { key: "requests", header: "Requests", width: "7rem", cell: ({ requests }) => requests },
    {
      key: "example",
      header: "Example",
      width: "40%",
      cell: ({ example: { ray_id, host, path } }) => (
        <AnchorLink
          size="sm"
          className="monospace"
          to="/zones/$zoneId/security/events"
          params={{ zoneId }}
          search={{ span, ray: ray_id }}
        >
          {host}
          {path}
        </AnchorLink>
      ),
    },
  ];
}

interface ProposedExceptionsProps {
  readonly zoneId: string;
  readonly exceptions: readonly Exception[];
}

/** Rules with which the new version lets pass what only it stops; nothing where there is nothing to propose. */
export function ProposedExceptions({ zoneId, exceptions }: ProposedExceptionsProps) {
  const rulesets = useApi(call("listRulesets", { zone_id: zoneId })).data?.result ?? [];
  const { rules } = useEntryPoint(zoneId);
  if (exceptions.length === 0) return undefined;
  return (
    <Stack gap="xs">
      <div>
        <Title order={2}>Exceptions that would make both agree</Title>
        <Text size="sm" c="dimmed">
          Look at each before you make it: some of these requests are attacks.
        </Text>
      </div>
      <PagedTable
        label="Exceptions that would make both agree"
        rows={exceptions}
        rowId={({ expression }) => expression}
        columns={exceptionColumns(zoneId, rulesets, rules)}
        empty={undefined}
      />
    </Stack>
  );
}

function exceptionColumns(
  zoneId: string,
  rulesets: readonly RulesetHead[],
  rules: readonly Rule[],
): readonly Column<Exception>[] {
  return [
    {
      key: "exception",
      header: "Exception",
      cell: (exception) => <RuleText rule={{ ...exception, enabled: true }} rulesets={rulesets} />,
    },
    { key: "requests", header: "Requests", width: "7rem", cell: ({ requests }) => requests },
    {
      key: "actions",
      header: "Actions",
      width: "12rem",
      isActions: true,
      cell: (exception) => (
        <MakeException zoneId={zoneId} exception={exception} made={madeException(exception, rules)} />
      ),
    },
  ];
}

interface MakeExceptionProps {
  readonly zoneId: string;
  readonly exception: Exception;
  readonly made: MadeException | undefined;
}

/** The way to make an exception; for one that was made, whether it does what was proposed. */
function MakeException({
  zoneId,
  exception: { description, expression, action_parameters },
  made,
}: MakeExceptionProps) {
  if (made === undefined)
    return (
      <NewExceptionLink
        zoneId={zoneId}
        proposed={{ description, expression, rules: action_parameters.rules }}
      >
        Make an exception
      </NewExceptionLink>
    );
  if (made.differences.length === 0)
    return (
      <Badge variant="light" color="green" tt="none">
        Made since
      </Badge>
    );
  return (
    <Text size="sm">
      <AnchorLink
        inherit
        underline="always"
        to="/zones/$zoneId/security/waf/managed-rules/rules/$ruleId"
        params={{ zoneId, ruleId: made.rule.id }}
      >
        A rule for these requests
      </AnchorLink>{" "}
      differs: {made.differences.join("; ")}.
    </Text>
  );
}

/** The number of requests that reach each threshold that a migration chooses from. */
export function Scores({ scores }: { readonly scores: readonly Score[] }) {
  return (
    <Stack gap="xs">
      <div>
        <Title order={2}>What requests would score</Title>
        <Text size="sm" c="dimmed">
          How many of them reach each threshold of the OWASP ruleset, whatever the zone has set.
        </Text>
      </div>
      <DataTable
        label="What requests would score"
        query={rowsAtHand(scores)}
        rowId={({ paranoia_level }) => String(paranoia_level)}
        columns={scoreColumns}
        empty={<EmptyList title="No scores" />}
      />
    </Stack>
  );
}

const scoreColumns: readonly Column<Score>[] = [
  { key: "level", header: "Paranoia level", cell: ({ paranoia_level }) => paranoia_level },
  { key: "highest", header: "Highest score", cell: ({ highest }) => highest },
  { key: "high", header: "25 or more", cell: ({ at_least_25 }) => at_least_25 },
  { key: "medium", header: "40 or more", cell: ({ at_least_40 }) => at_least_40 },
  { key: "low", header: "60 or more", cell: ({ at_least_60 }) => at_least_60 },
];
