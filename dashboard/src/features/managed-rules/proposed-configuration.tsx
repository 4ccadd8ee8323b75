import { Badge, Stack, Text, Title } from "@mantine/core";

import type { RulesetHead } from "../../../../src/core/rulesets/ruleset.ts";
import type { ProposedRuleset } from "../../../../src/core/waf-plan/plan.ts";
import { call } from "../../api/call.ts";
import { useApi } from "../../api/query.ts";
import { DataTable, EmptyList, type Column } from "../../components/data-table.tsx";
import { Pending } from "../../components/error-alert.tsx";
import { rowsAtHand } from "../../components/rows-at-hand.ts";
import { readConsequences, type Consequence } from "./consequences.ts";
import { phaseTwo } from "./entry-point.ts";
import { RuleText } from "./rule-text.tsx";

/** What becomes of each setting of the previous version, and the rules that the zone would get. */
export function ProposedConfiguration({ zoneId }: { readonly zoneId: string }) {
  const { data, error, refetch } = useApi(call("proposeConfiguration", { zone_id: zoneId }, phaseTwo));
  const rulesets = useApi(call("listRulesets", { zone_id: zoneId })).data?.result ?? [];
  if (data === undefined)
    return (
      <Pending
        height={240}
        title="The configuration could not be proposed"
        error={error}
        onRetry={() => void refetch()}
      />
    );
  const { result: proposal, messages } = data;
  const consequences = readConsequences(messages);
  return (
    <Stack gap="md" pt="xs">
      <div>
        <Title order={3} mb="xs">
          What becomes of the settings
        </Title>
        <DataTable
          label="What becomes of the settings"
          query={rowsAtHand(consequences)}
          rowId={({ setting, becomes }) => `${setting} ${becomes}`}
          columns={consequenceColumns}
          empty={<EmptyList title="Nothing to migrate" />}
        />
      </div>
      <div>
        <Title order={3} mb="xs">
          The rules of the new version
        </Title>
        <DataTable
          label="Rules of the new version"
          query={rowsAtHand(proposal.rules.map((rule, index) => ({ rule, place: index + 1 })))}
          rowId={({ place }) => String(place)}
          columns={ruleColumns(rulesets)}
          empty={<EmptyList title="No rules" />}
        />
      </div>
    </Stack>
  );
}

const consequenceColumns: readonly Column<Consequence>[] = [
  { key: "setting", header: "Previous version", width: "50%", cell: ({ setting }) => setting },
  {
    key: "becomes",
    header: "New version",
    cell: ({ becomes }) =>
      becomes ?? (
        <Badge variant="light" color="orange" tt="none">
          Lost: create it again
        </Badge>
      ),
  },
];

interface ProposedRule {
  readonly rule: ProposedRuleset["rules"][number];
  /** From 1 on. */
  readonly place: number;
}

function ruleColumns(rulesets: readonly RulesetHead[]): readonly Column<ProposedRule>[] {
  return [
    { key: "place", header: "Order", width: "4.5rem", cell: ({ place }) => place },
    { key: "rule", header: "Rule", cell: ({ rule }) => <RuleText rule={rule} rulesets={rulesets} /> },
    {
      key: "enabled",
      header: "Status",
      width: "7rem",
      cell: ({ rule: { enabled } }) => (
        <Text size="sm" c={enabled ? "inherit" : "dimmed"}>
          {enabled ? "Enabled" : "Disabled"}
        </Text>
      ),
    },
  ];
}
