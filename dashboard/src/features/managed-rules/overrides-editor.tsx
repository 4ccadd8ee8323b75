import { Fieldset, Group, Select, Stack, Text, Badge, Checkbox, Title } from "@mantine/core";
import { XMarkIcon } from "@heroicons/react/24/outline";
import { useState } from "react";

import type { Rule } from "../../../../src/core/rulesets/rule.ts";
import { call } from "../../api/call.ts";
import { useApi } from "../../api/query.ts";
import { Pending } from "../../components/error-alert.tsx";
import { OverrideFields, overrideActions } from "./override-fields.tsx";
import {
  overrideAll,
  overrideRule,
  overrideThreshold,
  overrideCategory,
  type OverrideChange,
} from "./overrides.ts";
import {
  actionName,
  paranoiaLevelOf,
  withParanoiaLevel,
  type Overrides,
  type RuleOverride,
} from "./rule-summary.ts";
import type { Ruleset } from "../../../../src/core/rulesets/ruleset.ts";
import { IconButton } from "../../components/icon-button.tsx";
import { EmptyList, type Column } from "../../components/data-table.tsx";
import { PagedTable } from "../../components/paged-table.tsx";
import { SearchInput } from "../../components/search-input.tsx";
import { wordsOf } from "../../components/setting-words.ts";

interface OverridesEditorProps {
  readonly zoneId: string;
  readonly rulesetId: string;
  readonly value: Overrides;
  readonly onChange: (overrides: Overrides) => void;
}

/** The overrides of a managed ruleset for the requests of a rule: for all of its rules, categories, single rules. */
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

interface CategoryOverridesProps {
  readonly ruleset: Ruleset;
  readonly value: Overrides;
  readonly onChange: (overrides: Overrides) => void;
}

const isLevel = (category: string): boolean => category.startsWith("paranoia-level-");

/** Overrides for all rules of a category. Paranoia levels are categories too, and are chosen elsewhere. */
function CategoryOverrides({ ruleset, value, onChange }: CategoryOverridesProps) {
  const known = [...new Set(ruleset.rules.flatMap(({ categories = [] }) => categories))]
    .filter((category) => !isLevel(category))
    .toSorted();
  const overridden = (value.categories ?? []).filter(({ category }) => !isLevel(category));
  if (known.length === 0) return undefined;
  return (
    <Fieldset legend="Categories">
      <Stack gap="xs">
        {overridden.map((override) => (
          <Group key={override.category} gap="sm" justify="space-between">
            <Text size="sm" flex="1 1 10rem">
              {override.category}
            </Text>
            <Group gap="xs" wrap="nowrap">
              <OverrideFields
                of={`category ${override.category}`}
                value={override}
                onChange={(change) => onChange(overrideCategory(value, override.category, change))}
              />
              <IconButton
                Icon={XMarkIcon}
                label={`Remove the override of category ${override.category}`}
                onClick={() =>
                  onChange({
                    ...value,
                    categories: (value.categories ?? []).filter((one) => one !== override),
                  })
                }
              />
            </Group>
          </Group>
        ))}
        <Select
          aria-label="Add a category"
          placeholder="Add a category"
          searchable
          data={known.filter((category) => !overridden.some((one) => one.category === category))}
          value={null}
          onChange={(category) =>
            category !== null &&
            onChange(overrideCategory(value, category, { action: undefined, enabled: false }))
          }
          maw={280}
        />
      </Stack>
    </Fieldset>
  );
}

interface RuleOverridesProps {
  readonly ruleset: Ruleset;
  readonly value: Overrides;
  readonly onChange: (overrides: Overrides) => void;
}

/** Overrides of single rules, among all rules of a managed ruleset. */
function RuleOverrides({ ruleset, value, onChange }: RuleOverridesProps) {
  const [search, setSearch] = useState("");
  const [onlyOverridden, setOnlyOverridden] = useState(false);
  const overrides = new Map((value.rules ?? []).map((override) => [override.id, override]));
  const sought = search.toLowerCase();
  const found = ruleset.rules.filter(
    ({ id, description, categories = [] }) =>
      (!onlyOverridden || overrides.has(id)) &&
      [id, description, ...categories].some((text) => text.toLowerCase().includes(sought)),
  );
  return (
    <Stack gap="xs">
      <Title order={2} size="sm">
        Rules of the ruleset
      </Title>
      <Group gap="md">
        <SearchInput label="Search by description, category or id" value={search} onSearch={setSearch} />
        <Checkbox
          label="Only overridden rules"
          checked={onlyOverridden}
          onChange={(event) => setOnlyOverridden(event.currentTarget.checked)}
        />
      </Group>
      <PagedTable
        key={`${onlyOverridden} ${search}`}
        label="Rules of the ruleset"
        rows={found}
        rowId={({ id }) => id}
        columns={ruleColumns(overrides, (id, change) => onChange(overrideRule(value, id, change)))}
        empty={<EmptyList title="No rule matches" />}
      />
    </Stack>
  );
}

function ruleColumns(
  overrides: ReadonlyMap<string, RuleOverride>,
  onChange: (id: string, change: OverrideChange) => void,
): readonly Column<Rule>[] {
  return [
    {
      key: "description",
      header: "Rule",
      cell: ({ id, description, categories = [] }) => (
        <>
          <Text size="sm">{description}</Text>
          <Text size="xs" c="dimmed" className="monospace">
            {id}
          </Text>
          <Group gap={4} mt={2}>
            {categories.map((category) => (
              <Badge key={category} size="xs" variant="light" color="gray" tt="none" fw={500}>
                {category}
              </Badge>
            ))}
          </Group>
        </>
      ),
    },
    {
      key: "default",
      header: "Default",
      width: "9rem",
      cell: ({ action, enabled }) => `${wordsOf(action)}${enabled ? "" : ", disabled"}`,
    },
    {
      key: "override",
      header: "Override",
      width: "18rem",
      cell: ({ id, description }) => (
        <OverrideFields
          of={`rule ${description}`}
          value={overrides.get(id) ?? {}}
          onChange={(change) => onChange(id, change)}
        />
      ),
    },
  ];
}
