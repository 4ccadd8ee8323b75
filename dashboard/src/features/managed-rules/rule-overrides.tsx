import { Badge, Checkbox, Group, Stack, Text, Title } from "@mantine/core";
import { useState } from "react";

import type { Rule } from "../../../../src/core/rulesets/rule.ts";
import type { Ruleset } from "../../../../src/core/rulesets/ruleset.ts";
import { EmptyList, type Column } from "../../components/data-table.tsx";
import { PagedTable } from "../../components/paged-table.tsx";
import { SearchInput } from "../../components/search-input.tsx";
import { wordsOf } from "../../components/setting-words.ts";
import { OverrideFields } from "./override-fields.tsx";
import { overrideRule, type OverrideChange } from "./overrides.ts";
import type { Overrides, RuleOverride } from "./rule-summary.ts";

interface RuleOverridesProps {
  readonly ruleset: Ruleset;
  readonly value: Overrides;
  readonly onChange: (overrides: Overrides) => void;
}

/** Overrides of single rules, among all rules of a managed ruleset. */
export function RuleOverrides({ ruleset, value, onChange }: RuleOverridesProps) {
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
