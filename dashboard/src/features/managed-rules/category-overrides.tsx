import { XMarkIcon } from "@heroicons/react/24/outline";
import { Fieldset, Group, Select, Stack, Text } from "@mantine/core";

import type { Ruleset } from "../../../../src/core/rulesets/ruleset.ts";
import { IconButton } from "../../components/icon-button.tsx";
import { OverrideFields } from "./override-fields.tsx";
import { overrideCategory } from "./overrides.ts";
import type { Overrides } from "./rule-summary.ts";

interface CategoryOverridesProps {
  readonly ruleset: Ruleset;
  readonly value: Overrides;
  readonly onChange: (overrides: Overrides) => void;
}

const isLevel = (category: string): boolean => category.startsWith("paranoia-level-");

/** Overrides for all rules of a category. Paranoia levels are categories too, and are chosen elsewhere. */
export function CategoryOverrides({ ruleset, value, onChange }: CategoryOverridesProps) {
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
