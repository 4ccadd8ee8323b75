import { PlusIcon } from "@heroicons/react/24/outline";
import {
  Button,
  Fieldset,
  Group,
  Select,
  Stack,
  Text,
  NumberInput,
  Textarea,
  TextInput,
} from "@mantine/core";
import { useState } from "react";

import { actionValues, type PageRuleAction } from "../../../../src/core/page-rules/actions.ts";
import { useFieldValidity } from "../../components/form.tsx";
import { RemoveButton } from "../../components/icon-button.tsx";
import type { ControlProps } from "../../components/resource/field.tsx";
import { actionTitle, actionValueText } from "./action-words.ts";

const names = Object.keys(actionValues);

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
            <RemoveButton
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

interface ActionValueProps {
  readonly action: PageRuleAction;
  readonly label: string;
  readonly onChange: (value: unknown) => void;
}

/** The control for the value of an action. */
type Kind =
  | { readonly kind: "none" | "redirect" | "number" | "object" | "text" }
  | { readonly kind: "choice"; readonly choices: readonly string[] };

function kindOf(id: string): Kind {
  const values = actionValues[id];
  if (values === undefined) return { kind: "none" };
  if (id === "forwarding_url") return { kind: "redirect" };
  if ("choices" in values) return { kind: "choice", choices: values.choices as readonly string[] };
  if (values.accepts(0)) return { kind: "number" };
  return { kind: values.accepts({ html: "on" }) ? "object" : "text" };
}

/** The first value of an action that is added; undefined for one without a value. */
function firstValue(id: string): unknown {
  const of = kindOf(id);
  switch (of.kind) {
    case "none":
      return undefined;
    case "choice":
      return of.choices[0];
    case "redirect":
      return { url: "", status_code: 301 };
    case "number":
      return 0;
    case "object":
      return {};
    case "text":
      return "";
  }
}

function ActionValue({ action: { id, value }, label, onChange }: ActionValueProps) {
  const of = kindOf(id);
  switch (of.kind) {
    case "none":
      return undefined;
    case "choice":
      return (
        <Select
          flex="1 1 10rem"
          label={label}
          allowDeselect={false}
          data={of.choices.map((choice) => ({ value: choice, label: actionValueText(choice) }))}
          value={String(value)}
          onChange={onChange}
        />
      );
    case "redirect":
      return <Redirect value={value as RedirectValue} onChange={onChange} />;
    case "number":
      return (
        <NumberInput
          flex="1 1 10rem"
          label={`${label}, in seconds`}
          min={0}
          allowDecimal={false}
          value={Number(value)}
          onChange={onChange}
        />
      );
    case "object":
      return <ObjectText label={`${label}, as JSON`} value={value} onChange={onChange} />;
    case "text":
      return (
        <TextInput
          flex="1 1 10rem"
          label={label}
          spellCheck={false}
          value={String(value)}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
  }
}

interface RedirectValue {
  readonly url: string;
  readonly status_code: number;
}

interface RedirectProps {
  readonly value: RedirectValue;
  readonly onChange: (value: RedirectValue) => void;
}

function Redirect({ value, onChange }: RedirectProps) {
  return (
    <Group gap="xs" flex="1 1 16rem" align="flex-end">
      <TextInput
        flex={1}
        label="To"
        placeholder="https://www.example.com/$1"
        spellCheck={false}
        value={value.url}
        onChange={(event) => onChange({ ...value, url: event.currentTarget.value })}
      />
      <Select
        w="7rem"
        label="Status"
        allowDeselect={false}
        data={["301", "302"]}
        value={String(value.status_code)}
        onChange={(status) => onChange({ ...value, status_code: Number(status) })}
      />
    </Group>
  );
}

interface ObjectTextProps {
  readonly label: string;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

function ObjectText({ label, value, onChange }: ObjectTextProps) {
  const [text, setText] = useState(() => JSON.stringify(value));
  const [isJson, setJson] = useState(true);
  const message = isJson ? undefined : "This is not JSON";
  const field = useFieldValidity<HTMLTextAreaElement>(message);
  return (
    <Textarea
      ref={field}
      flex="1 1 16rem"
      label={label}
      autosize
      spellCheck={false}
      value={text}
      error={message}
      onChange={(event) => {
        const next = event.currentTarget.value;
        setText(next);
        try {
          onChange(JSON.parse(next));
          setJson(true);
        } catch {
          setJson(false);
        }
      }}
    />
  );
}
