import {
  MultiSelect,
  NativeSelect,
  NumberInput,
  Pill,
  Select,
  TagsInput,
  Text,
  Textarea,
  TextInput,
  type TagsInputProps,
} from "@mantine/core";
import { use } from "react";
import type { Schema } from "../../../../../src/core/rulesets/shapes.ts";
import { ExpressionEditor } from "../../../components/expression-editor.tsx";
import { errorAt, SurroundingsContext, type Choice } from "./surroundings.ts";
import { labelOf } from "./labels.ts";

export interface FieldProps<Kind extends Schema = Schema> {
  readonly schema: Kind;
  readonly label: string;
  readonly value: unknown;
  /** Undefined takes the field away. */
  readonly onChange: (value: unknown) => void;
  readonly pointer: string;
  readonly isRequired: boolean;
}

type ScalarSchema = Exclude<Schema, { readonly kind: "object" | "record" | "list" }>;

const longTextMin = 1_000;
const unset = { value: "", label: "Not set" };

export function ScalarField({
  schema,
  label,
  value,
  onChange,
  pointer,
  isRequired,
}: FieldProps<ScalarSchema>) {
  const { error: failure, use: expressionUse, choices } = use(SurroundingsContext);
  const error = errorAt(failure, pointer);
  const orNothing = (text: string): unknown => (text === "" && !isRequired ? undefined : text);
  const known = choices[pointer];
  switch (schema.kind) {
    case "text": {
      const text = typeof value === "string" ? value : "";
      if (known !== undefined)
        return (
          <Select
            label={label}
            data={known}
            value={text === "" ? null : text}
            error={error}
            onChange={(to) => onChange(orNothing(to ?? ""))}
            searchable
            maw={480}
          />
        );
      const field = {
        label,
        value: text,
        error,
        spellCheck: false,
        onChange: (event: { readonly currentTarget: { readonly value: string } }) =>
          onChange(orNothing(event.currentTarget.value)),
      };
      return schema.lengthMax >= longTextMin && schema.lengthMax !== 4096 ? (
        <Textarea {...field} autosize minRows={3} maxRows={12} classNames={{ input: "monospace" }} />
      ) : (
        <TextInput {...field} maw={640} />
      );
    }
    case "integer":
      return (
        <NumberInput
          label={label}
          value={typeof value === "number" ? value : ""}
          error={error}
          allowDecimal={false}
          onChange={(to) => onChange(typeof to === "number" ? to : undefined)}
          maw={240}
        />
      );
    case "flag":
    case "choice":
      return (
        <ChoiceField
          schema={schema}
          label={label}
          value={value}
          onChange={onChange}
          error={error}
          isRequired={isRequired}
        />
      );
    case "expression":
      return (
        <ExpressionEditor
          label={label}
          value={typeof value === "string" ? value : ""}
          onChange={(source) => onChange(orNothing(source))}
          use={{ ...expressionUse, purpose: schema.use }}
          error={error}
          isRequired={isRequired}
          minRows={1}
        />
      );
  }
}

interface ChoiceProps extends Pick<FieldProps, "label" | "value" | "onChange" | "isRequired"> {
  readonly schema: Extract<Schema, { readonly kind: "flag" | "choice" }>;
  readonly error: string | undefined;
}

function ChoiceField({ schema, label, value, onChange, error, isRequired }: ChoiceProps) {
  const choices = schema.kind === "flag" ? [true, false] : schema.choices;
  const chosen = choices.find((choice) => choice === value);
  return (
    <NativeSelect
      label={label}
      data={[
        ...(isRequired && chosen !== undefined ? [] : [unset]),
        ...choices.map((choice) => ({ value: String(choice), label: choiceLabel(choice) })),
      ]}
      value={chosen === undefined ? "" : String(chosen)}
      error={error}
      onChange={(event) => onChange(choices.find((choice) => String(choice) === event.currentTarget.value))}
      maw={320}
    />
  );
}

function choiceLabel(choice: string | number | boolean): string {
  if (typeof choice === "boolean") return choice ? "On" : "Off";
  return typeof choice === "number" ? String(choice) : labelOf(choice);
}

/** A list that values are chosen from, in words: a value is its own name where somebody typed it. */
function knownValues(known: readonly Choice[]): Pick<TagsInputProps, "data" | "renderOption" | "renderPill"> {
  const labels = new Map(known.map(({ value, label }) => [value, label]));
  return {
    data: known.map(({ value }) => value),
    renderOption: ({ option: { value } }) => (
      <>
        {labels.get(value)}{" "}
        {labels.get(value) !== value && (
          <Text span size="xs" c="dimmed" className="monospace">
            {value}
          </Text>
        )}
      </>
    ),
    renderPill: ({ value, onRemove, disabled = false }) => (
      <Pill title={String(value)} withRemoveButton={!disabled} {...(onRemove && { onRemove })}>
        {labels.get(String(value)) ?? value}
      </Pill>
    ),
  };
}

/** Several values of one kind, each as a tag. */
export function ValuesField({
  schema: { item },
  label,
  value,
  onChange,
  pointer,
}: FieldProps<{ readonly kind: "list"; readonly item: ScalarSchema }>) {
  const { error: failure, choices } = use(SurroundingsContext);
  const values = Array.isArray(value) ? value.map(String) : [];
  const known = choices[pointer];
  const field = {
    label,
    value: values,
    error: errorAt(failure, pointer),
    onChange: (to: string[]) =>
      onChange(to.length === 0 ? undefined : item.kind === "integer" ? to.map(Number) : to),
    maw: 640,
  };
  if (item.kind === "choice" || item.kind === "flag") {
    const data = item.kind === "flag" ? ["true", "false"] : item.choices.map(String);
    return (
      <MultiSelect {...field} data={data.map((choice) => ({ value: choice, label: labelOf(choice) }))} />
    );
  }
  return (
    <TagsInput
      {...field}
      {...(known !== undefined && knownValues(known))}
      limit={20}
      acceptValueOnBlur
      splitChars={["\n"]}
      placeholder={values.length === 0 ? "type a value, then Enter" : ""}
    />
  );
}
