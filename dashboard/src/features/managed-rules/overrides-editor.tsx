import { Fieldset, Group, Select, Stack, Text } from "@mantine/core";

import type { Rule } from "../../../../src/core/rulesets/rule.ts";
import { call } from "../../api/call.ts";
import { useApi } from "../../api/query.ts";
import { Pending } from "../../components/error-alert.tsx";
import { CategoryOverrides } from "./category-overrides.tsx";
import { OverrideFields, overrideActions } from "./override-fields.tsx";
import { overrideAll, overrideRule, overrideThreshold } from "./overrides.ts";
import { RuleOverrides } from "./rule-overrides.tsx";
import { actionName, paranoiaLevelOf, withParanoiaLevel, type Overrides } from "./rule-summary.ts";

interface OverridesEditorProps {
  readonly zoneId: string;
  readonly rulesetId: string;
  readonly value: Overrides;
  readonly onChange: (overrides: Overrides) => void;
}

/** What is different in a managed ruleset for the requests of a rule: for all of its rules, categories, single rules. */
export function OverridesEditor({ zoneId, rulesetId, value, onChange }: OverridesEditorProps) {
  const { data, error, refetch } = useApi(call("getRuleset", { zone_id: zoneId, ruleset_id: rulesetId }));
  const ruleset = data?.result.id === rulesetId ? data.result : undefined;
  if (ruleset === undefined)
    return (
      <Pending
        height={200}
        title="The rules of the ruleset could not be listed"
        error={error}
        onRetry={() => void refetch()}
      />
    );
  const scoreRule = ruleset.rules.find(({ score_threshold }) => score_threshold !== undefined);
  return (
    <Stack gap="md">
      {scoreRule === undefined ? (
        <Fieldset legend="All rules of the ruleset">
          <OverrideFields
            of="all rules"
            value={value}
            onChange={(change) => onChange(overrideAll(value, change))}
          />
        </Fieldset>
      ) : (
        <Scores scoreRule={scoreRule} value={value} onChange={onChange} />
      )}
      <CategoryOverrides ruleset={ruleset} value={value} onChange={onChange} />
      <RuleOverrides ruleset={ruleset} value={value} onChange={onChange} />
    </Stack>
  );
}

const paranoiaLevels = [
  { value: "1", label: "PL1" },
  { value: "2", label: "PL2" },
  { value: "3", label: "PL3" },
  { value: "4", label: "PL4" },
];
const namedThresholds = new Map([
  [60, "Low, 60 or higher"],
  [40, "Medium, 40 or higher"],
  [25, "High, 25 or higher"],
]);

interface ScoresProps extends Pick<OverridesEditorProps, "value" | "onChange"> {
  /** The one that judges the sum, as the ruleset itself has it. */
  readonly scoreRule: Rule;
}

/** A ruleset that adds up scores: which rules take part, and from which sum on it acts. */
function Scores({ scoreRule, value, onChange }: ScoresProps) {
  const level = paranoiaLevelOf(value);
  const override = value.rules?.find(({ id }) => id === scoreRule.id);
  const own = override?.score_threshold;
  const thresholds = [...new Set([...namedThresholds.keys(), ...(own === undefined ? [] : [own])])];
  return (
    <Fieldset legend="Scores">
      <Stack gap="xs">
        <Text size="sm" c="dimmed">
          The rules of this ruleset add up scores. A higher paranoia level lets more rules take part; a lower
          threshold acts earlier.
        </Text>
        <Group gap="md">
          <Select
            label="Paranoia level"
            placeholder="All levels"
            clearable
            data={paranoiaLevels}
            value={level === undefined ? null : String(level)}
            onChange={(chosen) =>
              onChange({
                ...value,
                categories: withParanoiaLevel(
                  value.categories ?? [],
                  chosen === null ? undefined : Number(chosen),
                ),
              })
            }
          />
          <Select
            label="Score threshold"
            placeholder={`Default, ${scoreRule.score_threshold}`}
            clearable
            data={thresholds.map((one) => ({
              value: String(one),
              label: namedThresholds.get(one) ?? `${one} or higher`,
            }))}
            value={own === undefined ? null : String(own)}
            onChange={(chosen) =>
              onChange(overrideThreshold(value, scoreRule.id, chosen === null ? undefined : Number(chosen)))
            }
          />
          <Select
            label="Action"
            placeholder={`Default, ${actionName(scoreRule.action)}`}
            clearable
            data={overrideActions}
            value={override?.action ?? null}
            onChange={(action) =>
              onChange(
                overrideRule(value, scoreRule.id, {
                  action: action ?? undefined,
                  enabled: override?.enabled,
                }),
              )
            }
          />
        </Group>
      </Stack>
    </Fieldset>
  );
}
