import {
  MultiSelect,
  NumberInput,
  Select,
  Switch,
  TagsInput,
  TextInput,
  type ComboboxData,
} from "@mantine/core";
import type { ReactNode } from "react";

/** The texts of a field, whatever its control. */
export interface FieldWords {
  readonly label: string;
  readonly description?: string;
  readonly placeholder?: string;
  /** The field's place in the body, a JSON pointer: errors about it stand at the field. */
  readonly pointer?: string;
  /** Chosen when the resource is made, and the same ever after. */
  readonly isFixed?: boolean;
  readonly isOptional?: boolean;
}

export interface ControlProps<Value> {
  readonly words: Pick<FieldWords, "label" | "description" | "placeholder">;
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly error: string | undefined;
  readonly disabled: boolean;
  /** Takes the focus when the form opens. */
  readonly isFirst: boolean;
}

/** A field of a form: its words, and the control that changes its value. */
export interface Field<Value> extends FieldWords {
  readonly control: (props: ControlProps<Value>) => ReactNode;
}

/** The fields of a form by the parts of its draft, in the order in which they stand. */
export type Fields<Draft> = { readonly [Part in keyof Draft]: Field<Draft[Part]> };

export function textField(words: FieldWords): Field<string> {
  return {
    ...words,
    control: ({ words: said, value, onChange, error, disabled, isFirst }) => (
      <TextInput
        {...said}
        data-autofocus={isFirst}
        autoComplete="off"
        spellCheck={false}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        error={error}
        disabled={disabled}
      />
    ),
  };
}

/** Several texts, each added by Enter or a space. */
export function textsField(words: FieldWords): Field<readonly string[]> {
  return {
    ...words,
    control: ({ words: { placeholder = "", ...said }, value, onChange, error, disabled, isFirst }) => (
      <TagsInput
        {...said}
        placeholder={value.length === 0 ? placeholder : ""}
        data-autofocus={isFirst}
        splitChars={[",", " ", "\n"]}
        value={[...value]}
        onChange={onChange}
        error={error}
        disabled={disabled}
      />
    ),
  };
}

export function choiceField<Value extends string>(
  choices: Readonly<Record<Value, string>>,
  words: FieldWords,
): Field<Value> {
  const data: ComboboxData = Object.entries<string>(choices).map(([value, label]) => ({ value, label }));
  return {
    ...words,
    control: ({ words: said, value, onChange, error, disabled, isFirst }) => (
      <Select
        {...said}
        data-autofocus={isFirst}
        data={data}
        allowDeselect={false}
        value={value}
        onChange={(chosen) => onChange((chosen ?? value) as Value)}
        error={error}
        disabled={disabled}
      />
    ),
  };
}

/** Several of some choices, which are values with what is said of them. */
export function choicesField(
  choices: Readonly<Record<string, string>>,
  words: FieldWords,
): Field<readonly string[]> {
  const data: ComboboxData = Object.entries(choices).map(([value, label]) => ({ value, label }));
  return {
    ...words,
    control: ({ words: said, value, onChange, error, disabled, isFirst }) => (
      <MultiSelect
        {...said}
        data-autofocus={isFirst}
        data={data}
        searchable
        value={[...value]}
        onChange={onChange}
        error={error}
        disabled={disabled}
      />
    ),
  };
}

/** A whole number, empty while there is none; whether it may be that one, the server says. */
export function numberField(words: FieldWords): Field<number | ""> {
  return {
    ...words,
    control: ({ words: said, value, onChange, error, disabled, isFirst }) => (
      <NumberInput
        {...said}
        data-autofocus={isFirst}
        allowDecimal={false}
        hideControls
        value={value}
        onChange={(next) => onChange(typeof next === "number" ? next : "")}
        error={error}
        disabled={disabled}
      />
    ),
  };
}

export function switchField(words: FieldWords): Field<boolean> {
  return {
    ...words,
    control: ({ words: { label, description }, value, onChange, error, disabled }) => (
      <Switch
        label={label}
        description={description}
        checked={value}
        onChange={(event) => onChange(event.currentTarget.checked)}
        error={error}
        disabled={disabled}
      />
    ),
  };
}
