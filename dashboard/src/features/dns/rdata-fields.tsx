import { NumberInput, Select, Textarea } from "@mantine/core";
import { useState, type ClipboardEventHandler } from "react";

import type { DataValue, PlainType } from "../../../../src/core/dns/content/record-types.ts";
import { dataFieldsOf, type DataField } from "./data-fields.ts";
import type { RecordDraft } from "./record-draft.ts";
import classes from "./record-form.module.css";
import { recordTypeHints, typesWithPriority } from "./record-type-hints.ts";

interface RdataFieldsProps {
  readonly draft: RecordDraft;
  readonly onChange: (part: Partial<RecordDraft>) => void;
  readonly onPaste: ClipboardEventHandler;
  /** What is wrong with a field, by its JSON pointer without the slash at its beginning. */
  readonly errorAt: (field: string) => string | undefined;
}

/** The fields of what a record says: one text, or the parts of its type. */
export function RdataFields({ draft, onChange, onPaste, errorAt }: RdataFieldsProps) {
  const { type, data } = draft;
  const fields = dataFieldsOf(type);
  return (
    <>
      {typesWithPriority.has(type) && (
        <NumberInput
          label="Priority"
          className={classes.short ?? ""}
          min={0}
          max={65_535}
          allowDecimal={false}
          value={draft.priority}
          onChange={(value) => onChange({ priority: Number(value) })}
          onPaste={onPaste}
          error={errorAt("priority")}
        />
      )}
      {fields.map((field) => (
        <DataInput
          key={`${type} ${field.name}`}
          field={field}
          value={data[field.name] ?? ""}
          onChange={(value) => onChange({ data: { ...data, [field.name]: value } })}
          // A long text may well be pasted with its line breaks.
          {...(field.kind !== "long text" && { onPaste })}
          error={errorAt(`data/${field.name}`)}
        />
      ))}
      {fields.length === 0 && (
        <LineInput
          {...recordTypeHints[type as PlainType]}
          required
          value={draft.content}
          onChange={(content) => onChange({ content })}
          {...(type !== "TXT" && type !== "OPENPGPKEY" && { onPaste })}
          error={errorAt("content")}
        />
      )}
    </>
  );
}

interface DataInputProps {
  readonly field: DataField;
  readonly value: DataValue;
  readonly onChange: (value: DataValue) => void;
  readonly onPaste?: ClipboardEventHandler;
  readonly error: string | undefined;
}

function DataInput({ field, ...input }: DataInputProps) {
  const { kind, label, choices, example = "", isOptional = false } = field;
  const { value, onChange, onPaste, error } = input;
  if (choices !== undefined) return <ChoiceInput field={field} choices={choices} {...input} />;
  if (kind === "number")
    return (
      <NumberInput
        label={label}
        className={classes.short ?? ""}
        placeholder={example}
        required={!isOptional}
        withAsterisk={false}
        hideControls
        value={value}
        onChange={onChange}
        {...(onPaste && { onPaste })}
        error={error}
      />
    );
  return (
    <LineInput
      label={label}
      example={example}
      required={!isOptional}
      value={String(value)}
      onChange={onChange}
      {...(onPaste && { onPaste })}
      error={error}
    />
  );
}

interface ChoiceInputProps extends DataInputProps {
  readonly choices: NonNullable<DataField["choices"]>;
}

/** The values that have a name, and whatever else is written. */
function ChoiceInput({ field, choices, value, onChange, onPaste, error }: ChoiceInputProps) {
  const [search, setSearch] = useState("");
  const isNumber = field.kind === "number";
  const named = choices.map((choice) => ({ value: String(choice.value), label: choice.label }));
  const others = [...new Set([String(value), search.trim()])].filter(
    (text) =>
      text !== "" &&
      !named.some((choice) => choice.value === text || choice.label === text) &&
      (!isNumber || /^\d+$/.test(text)),
  );
  return (
    <Select
      label={field.label}
      className={classes.name ?? ""}
      data={[...named, ...others.map((text) => ({ value: text, label: text }))]}
      value={value === "" ? null : String(value)}
      onChange={(text) => onChange(text === null ? "" : isNumber ? Number(text) : text)}
      searchable
      onSearchChange={setSearch}
      clearable={field.isOptional === true}
      allowDeselect={false}
      {...(onPaste && { onPaste })}
      error={error}
    />
  );
}

interface LineInputProps {
  readonly label: string;
  readonly example: string;
  readonly required: boolean;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly onPaste?: ClipboardEventHandler;
  readonly error: string | undefined;
}

/** One line that wraps where it is long; Enter saves. */
function LineInput({ label, example, required, value, onChange, onPaste, error }: LineInputProps) {
  return (
    <Textarea
      label={label}
      className={classes.content ?? ""}
      placeholder={example}
      required={required}
      withAsterisk={false}
      autosize
      minRows={1}
      maxRows={6}
      autoCapitalize="none"
      spellCheck={false}
      value={value}
      onKeyDown={(event) => {
        if (event.key !== "Enter" || event.shiftKey || event.ctrlKey || event.metaKey) return;
        event.preventDefault();
        event.currentTarget.form?.requestSubmit();
      }}
      onChange={(event) => onChange(event.currentTarget.value)}
      {...(onPaste && { onPaste })}
      error={error}
    />
  );
}
