import { PlusIcon, TrashIcon } from "@heroicons/react/24/outline";
import { Button, Fieldset, Group, Select, Stack, Text } from "@mantine/core";

import { actionForms, type PageRuleAction } from "../../../../src/core/page-rules/actions.ts";
import { IconButton } from "../../components/icon-button.tsx";
import type { ControlProps } from "../../components/resource/field.tsx";
import { ActionValue, firstValue } from "./action-value.tsx";
import { actionTitle } from "./action-words.ts";

const names = Object.keys(actionForms);

/** What a page rule sets: each action with the value that it takes. */
export function ActionFields({
  words,
  value: actions,
  onChange,
  error,
}: ControlProps<readonly PageRuleAction[]>) {
  const taken = new Set(actions.map(({ id }) => id));
  const choicesOf = (own?: string) =>
    names
      .filter((name) => name === own || !taken.has(name))
      .map((name) => ({ value: name, label: actionTitle(name) }));
  const add = (): void => {
    const id = names.find((name) => name === "cache_level" && !taken.has(name)) ?? choicesOf()[0]?.value;
    if (id !== undefined) onChange([...actions, { id, value: firstValue(id) }]);
  };
  return (
    <Fieldset legend={words.label}>
      <Stack gap="sm">
        {actions.map((action, index) => (
          <Group key={action.id} align="flex-end" gap="xs">
            <Select
              flex="1 1 12rem"
              label={`Setting ${index + 1}`}
              searchable
              allowDeselect={false}
              data={choicesOf(action.id)}
              value={action.id}
              onChange={(id) => {
                if (id !== null) onChange(actions.with(index, { id, value: firstValue(id) }));
              }}
            />
            <ActionValue
              action={action}
              label={`Value ${index + 1}`}
              onChange={(value) => onChange(actions.with(index, { id: action.id, value }))}
            />
            <IconButton
              Icon={TrashIcon}
              color="red"
              size="lg"
              label={`Remove ${actionTitle(action.id)}`}
              onClick={() => onChange(actions.toSpliced(index, 1))}
            />
          </Group>
        ))}
        {error !== undefined && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {error}
          </Text>
        )}
        <Group>
          <Button variant="default" size="xs" leftSection={<PlusIcon width={16} aria-hidden />} onClick={add}>
            Add a setting
          </Button>
        </Group>
      </Stack>
    </Fieldset>
  );
}
