import {
  Button,
  Group,
  NumberInput,
  Select,
  Stack,
  Switch,
  TagsInput,
  Text,
  Textarea,
  TextInput,
} from "@mantine/core";
import { useWindowEvent } from "@mantine/hooks";
import { useEffect, useRef, useState, type ClipboardEvent, type ClipboardEventHandler } from "react";

import { isProxiableType } from "../../../../src/core/dns/content/proxiable.ts";
import {
  recordTypes,
  type DataValue,
  type PlainType,
} from "../../../../src/core/dns/content/record-types.ts";
import type { ApiError } from "../../api/api-error.ts";
import { Discard, useKeptDraft } from "../../components/drafts.tsx";
import { ErrorAlert } from "../../components/error-alert.tsx";
import type { RecordDraft } from "./record-draft.ts";
import {
  contentWords,
  dataFieldsOf,
  hasPriority,
  initialData,
  nameExamples,
  ttlChoices,
  ttlText,
  type DataField,
} from "./record-form-fields.ts";
import { contentOf, fieldPointers, fullName, partsOf, proxyHint } from "./record-form-validation.ts";
import classes from "./record-form.module.css";

interface RecordFormProps {
  readonly label: string;
  /** Tells it from the other forms of the page. */
  readonly draftKey: string;
  /** The member of the address that it is open by. */
  readonly openBy?: string;
  readonly initial: RecordDraft;
  readonly zoneName: string;
  readonly action: string;
  readonly pending: boolean;
  readonly error: ApiError | null;
  /** Gets a function that closes the form once the record is saved. */
  readonly onSubmit: (draft: RecordDraft, close: () => void) => void;
  /** Saves it, and goes on with another one. */
  readonly onSubmitAndNext?: (draft: RecordDraft, forget: () => void) => void;
  /** Gets several lines that were pasted where only one has its place. */
  readonly onPasteLines?: ((text: string) => void) | undefined;
  readonly onClose: () => void;
}

/** The fields of a record, in its place in the table: they take the focus, and give it back to what opened them. */
export function RecordForm({
  label,
  draftKey,
  openBy,
  initial,
  zoneName,
  action,
  pending,
  error,
  ...on
}: RecordFormProps) {
  const {
    input: draft,
    setInput: setDraft,
    isChanged: hasDraft,
    forget,
  } = useKeptDraft(draftKey, initial, openBy);
  const form = useRef<HTMLFormElement>(null);
  const [isClosing, setClosing] = useState(false);
  const change = (part: Partial<RecordDraft>): void => setDraft({ ...draft, ...part });
  const { type, ttl } = draft;
  const isProxied = draft.proxied && isProxiableType(type);
  const nameInput = useRef<HTMLInputElement>(null);
  const nextButton = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const opener = document.activeElement;
    nameInput.current?.focus();
    return () => {
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  const close = (): void => {
    forget();
    on.onClose();
  };
  const leave = (): void => (hasDraft ? setClosing(true) : close());
  useWindowEvent("keydown", (event) => {
    const { key, target } = event;
    if (!(target instanceof Element && form.current?.contains(target) === true)) return;
    // Esc in an open list closes the list.
    if (key === "Escape" && target.ariaExpanded !== "true") leave();
    if (key === "Enter" && (event.ctrlKey || event.metaKey)) form.current.requestSubmit(nextButton.current);
  });
  const paste = (event: ClipboardEvent): void => {
    const text = event.clipboardData.getData("text");
    const isLines = text.trim().includes("\n");
    const parts = isLines ? undefined : partsOf(text, type, zoneName);
    if (parts !== undefined) change(parts);
    else if (isLines && on.onPasteLines) on.onPasteLines(text);
    else return;
    event.preventDefault();
  };
  const errorAt = (field: string): string | undefined => error?.about(`/${field}`);
  return (
    <>
      <form
        aria-label={label}
        ref={form}
        onSubmit={(event) => {
          event.preventDefault();
          const { submitter } = event.nativeEvent;
          if (submitter !== null && submitter === nextButton.current) on.onSubmitAndNext?.(draft, forget);
          else on.onSubmit(draft, close);
        }}
      >
        <Stack gap="sm">
          <div className={classes.fields}>
            <Select
              label="Type"
              className={classes.short ?? ""}
              data={[...recordTypes]}
              value={type}
              onChange={(value) => {
                const chosen = recordTypes.find((known) => known === value) ?? type;
                if (chosen !== type) change({ type: chosen, data: initialData(chosen) });
              }}
              allowDeselect={false}
              searchable
              error={errorAt("type")}
            />
            <TextInput
              label="Name"
              className={classes.name ?? ""}
              placeholder={nameExamples[type] ?? `@ for ${zoneName}`}
              required
              withAsterisk={false}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              ref={nameInput}
              value={draft.name}
              onChange={(event) => change({ name: event.currentTarget.value })}
              onPaste={paste}
              error={errorAt("name")}
            />
            <RdataFields draft={draft} onChange={change} onPaste={paste} errorAt={errorAt} />
          </div>
          <div className={classes.fields}>
            <Select
              label="TTL"
              className={classes.short ?? ""}
              data={[...new Set([...ttlChoices, ttl])]
                .toSorted((one, other) => one - other)
                .map((seconds) => ({ value: String(seconds), label: ttlText(seconds) }))}
              value={isProxied ? "1" : String(ttl)}
              disabled={isProxied}
              onChange={(value) => change({ ttl: Number(value) })}
              allowDeselect={false}
              error={errorAt("ttl")}
            />
            <TextInput
              label="Comment"
              className={classes.content ?? ""}
              value={draft.comment}
              onChange={(event) => change({ comment: event.currentTarget.value })}
              error={errorAt("comment")}
            />
            <TagsInput
              label="Tags"
              className={classes.name ?? ""}
              placeholder={draft.tags.length === 0 ? "name:value" : ""}
              value={[...draft.tags]}
              onChange={(tags) => change({ tags })}
              error={errorAt("tags")}
            />
          </div>
          <Preview draft={draft} zoneName={zoneName} />
          <ErrorAlert title="The record was not saved" error={error} saidAt={fieldPointers(type)} />
          <Group justify="space-between">
            <Switch
              label="Proxied"
              checked={isProxied}
              disabled={!isProxiableType(type)}
              description={isProxied && proxyHint(draft)}
              error={errorAt("proxied")}
              onChange={(event) => change({ proxied: event.currentTarget.checked })}
            />
            <Group gap="xs">
              <Button variant="default" onClick={close}>
                Cancel
              </Button>
              {on.onSubmitAndNext !== undefined && (
                <Button type="submit" variant="default" ref={nextButton} disabled={pending}>
                  Add another
                </Button>
              )}
              <Button type="submit" loading={pending}>
                {action}
              </Button>
            </Group>
          </Group>
        </Stack>
      </form>
      {isClosing && (
        <Discard
          title="Discard what you typed?"
          action="Discard"
          onKeep={() => setClosing(false)}
          onDiscard={close}
        />
      )}
    </>
  );
}

/** The record that the fields come to, as far as they are filled in. */
function Preview({ draft, zoneName }: { readonly draft: RecordDraft; readonly zoneName: string }) {
  return (
    <Text size="sm" c="dimmed" className="monospace">
      {fullName(draft.name, zoneName) ?? "…"} {draft.type} {contentOf(draft, zoneName) ?? "…"}
    </Text>
  );
}

interface RdataFieldsProps {
  readonly draft: RecordDraft;
  readonly onChange: (part: Partial<RecordDraft>) => void;
  readonly onPaste: ClipboardEventHandler;
  /** The error of a field, by its JSON pointer without the slash at its beginning. */
  readonly errorAt: (field: string) => string | undefined;
}

/** The fields of what a record says: one text, or the parts of its type. */
function RdataFields({ draft, onChange, onPaste, errorAt }: RdataFieldsProps) {
  const { type, data } = draft;
  const fields = dataFieldsOf(type);
  return (
    <>
      {hasPriority(type) && (
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
          {...contentWords[type as PlainType]}
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
  const { kind, label, choices, example = "", isOptional } = field;
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
      clearable={field.isOptional}
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
