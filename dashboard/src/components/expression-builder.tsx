import { PlusIcon, XMarkIcon } from "@heroicons/react/24/outline";
import {
  Button,
  Fieldset,
  Group as Row,
  NativeSelect,
  Select,
  Skeleton,
  Stack,
  TagsInput,
  Text,
  TextInput,
} from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";

import type { ExpressionUse } from "../expression/checker.ts";
import {
  operatorChoices,
  operators,
  printConditions,
  type Condition,
  type Group,
} from "../expression/conditions.ts";
import { subjectsOf, type Subject } from "../expression/subjects.ts";
import { checkerQuery } from "./expression-editor.tsx";
import { IconButton } from "./icon-button.tsx";

interface ExpressionBuilderProps {
  readonly value: string;
  readonly onChange: (source: string) => void;
  readonly use: ExpressionUse;
}

const firstCondition: Condition = {
  field: "http.host",
  type: "Bytes",
  operator: "eq",
  isNegated: false,
  values: [""],
};

/**
 * An expression as rows of conditions, in step with its text: it reads whatever text is there, and writes the text anew
 * with each change. A text of another structure it leaves alone.
 */
export function ExpressionBuilder({ value, onChange, use }: ExpressionBuilderProps) {
  const { data: checker, isError } = useQuery(checkerQuery);
  // Rows that are not finished have a text that cannot be read back.
  const [own, setOwn] = useState<{ readonly text: string; readonly groups: readonly Group[] }>();
  if (checker === undefined) return isError ? undefined : <Skeleton height={150} radius="md" />;
  const groups =
    own?.text === value ? own.groups : value.trim() === "" ? [[firstCondition]] : checker.conditionsIn(value);
  if (groups === undefined)
    return (
      <Text size="sm" c="dimmed">
        The builder cannot show this expression. Edit it as text.
      </Text>
    );
  const change = (changed: readonly Group[]): void => {
    const text = printConditions(changed);
    setOwn({ text, groups: changed });
    onChange(text);
  };
  const subjects = subjectsOf(checker.fields(use));
  return (
    <Stack gap="xs">
      {groups.map((group, index) => (
        <GroupFields
          // oxlint-disable-next-line react/no-array-index-key -- groups have no other identity
          key={index}
          name={groups.length > 1 ? `Alternative ${index + 1}` : "Conditions"}
          group={group}
          subjects={subjects}
          onChange={(changed) =>
            change(changed.length === 0 ? groups.toSpliced(index, 1) : groups.with(index, changed))
          }
          isOnly={groups.length === 1}
        />
      ))}
      <Row>
        <Button
          size="xs"
          variant="default"
          leftSection={<PlusIcon width={16} aria-hidden />}
          onClick={() => change([...groups, [firstCondition]])}
        >
          Or
        </Button>
      </Row>
    </Stack>
  );
}

interface GroupFieldsProps {
  readonly name: string;
  readonly group: Group;
  readonly subjects: readonly Subject[];
  readonly onChange: (group: Group) => void;
  readonly isOnly: boolean;
}

function GroupFields({ name, group, subjects, onChange, isOnly }: GroupFieldsProps) {
  return (
    <Fieldset legend={name} p="sm">
      <Stack gap="xs">
        {group.map((condition, index) => (
          <ConditionFields
            // oxlint-disable-next-line react/no-array-index-key -- conditions have no other identity
            key={index}
            name={`condition ${index + 1}`}
            condition={condition}
            subjects={subjects}
            onChange={(changed) => onChange(group.with(index, changed))}
            onRemove={isOnly && group.length === 1 ? undefined : () => onChange(group.toSpliced(index, 1))}
          />
        ))}
        <Row>
          <Button
            size="xs"
            variant="default"
            leftSection={<PlusIcon width={16} aria-hidden />}
            onClick={() => onChange([...group, firstCondition])}
          >
            And
          </Button>
        </Row>
      </Stack>
    </Fieldset>
  );
}

interface ConditionFieldsProps {
  readonly name: string;
  readonly condition: Condition;
  readonly subjects: readonly Subject[];
  readonly onChange: (condition: Condition) => void;
  readonly onRemove: (() => void) | undefined;
}

function ConditionFields({ name, condition, subjects, onChange, onRemove }: ConditionFieldsProps) {
  const { field, type, key, operator, isNegated, values } = condition;
  const known = subjects.find((subject) => subject.field === field);
  const choices = operatorChoices(type);
  const chosen = choices.findIndex((one) => one.operator === operator && one.isNegated === isNegated);
  return (
    <Row gap="xs" align="flex-start" wrap="nowrap">
      <Row gap="xs" align="flex-start" flex={1} miw={0}>
        <Select
          aria-label={`Field of ${name}`}
          data={[
            ...(known === undefined ? [{ value: field, label: field }] : []),
            ...subjects.map((subject) => ({ value: subject.field, label: subject.label })),
          ]}
          value={field}
          description={known?.note}
          inputWrapperOrder={["label", "input", "description", "error"]}
          searchable
          allowDeselect={false}
          onChange={(to) => {
            const subject = subjects.find((one) => one.field === to);
            if (subject !== undefined) onChange(aboutSubject(condition, subject));
          }}
          flex="2 1 12rem"
        />
        {key !== undefined && (
          <TextInput
            aria-label={`Name in ${name}`}
            placeholder="name"
            value={key}
            onChange={(event) => onChange({ ...condition, key: event.currentTarget.value })}
            flex="1 1 8rem"
          />
        )}
        <NativeSelect
          aria-label={`Operator of ${name}`}
          data={choices.map(({ label }, index) => ({ value: String(index), label }))}
          value={String(chosen)}
          onChange={(event) => {
            const choice = choices[Number(event.currentTarget.value)];
            if (choice === undefined) return;
            const { operator: to, isNegated: negated } = choice;
            onChange({ ...condition, operator: to, isNegated: negated, values: valuesFor(to, values) });
          }}
          flex="1 1 9rem"
        />
        {operators[operator].values === "several" ? (
          <TagsInput
            aria-label={`Values of ${name}`}
            placeholder={values.length === 0 ? "value, then Enter" : ""}
            splitChars={type === "Bytes" ? ["\n"] : [",", " ", "\n"]}
            acceptValueOnBlur
            value={[...values]}
            onChange={(changed) => onChange({ ...condition, values: changed })}
            flex="2 1 12rem"
          />
        ) : (
          operators[operator].values !== "none" && (
            <TextInput
              aria-label={`Value of ${name}`}
              placeholder={operator === "in list" ? "name of the list" : placeholders[type]}
              spellCheck={false}
              autoCapitalize="none"
              value={values[0] ?? ""}
              onChange={(event) => onChange({ ...condition, values: [event.currentTarget.value] })}
              flex="2 1 12rem"
            />
          )
        )}
      </Row>
      <IconButton
        Icon={XMarkIcon}
        mt={4}
        label={`Remove ${name}`}
        disabled={onRemove === undefined}
        onClick={onRemove}
      />
    </Row>
  );
}

const placeholders = { Bytes: "", Int: "0", Ip: "192.0.2.1", Bool: "" } as const;

/** The same condition about another subject, with its operator and values where these can stay. */
function aboutSubject(condition: Condition, { field, type, key, each }: Subject): Condition {
  const subject = { field, type, key, each };
  if (type === condition.type) return { ...condition, ...subject };
  const [first] = operatorChoices(type);
  if (first === undefined) return condition;
  return { ...subject, operator: first.operator, isNegated: false, values: valuesFor(first.operator, []) };
}

function valuesFor(operator: Condition["operator"], values: readonly string[]): readonly string[] {
  const { values: takes } = operators[operator];
  if (takes === "none") return [];
  return takes === "several" ? values.filter((value) => value !== "") : [values[0] ?? ""];
}
