import { Button, Group, Select, Stack, Switch, TagsInput, Text, TextInput } from "@mantine/core";
import { useWindowEvent } from "@mantine/hooks";
import { useEffect, useRef, useState, type ClipboardEvent } from "react";

import { recordTypes, type RecordType } from "../../../../src/core/dns/content/record-types.ts";
import { parseIpAddress } from "../../../../src/core/net/ip-address.ts";
import { isDiscardAddress } from "../../../../src/core/net/origin-address.ts";
import { isPublicAddress } from "../../../../src/core/net/public-address.ts";
import type { ApiError } from "../../api/api-error.ts";
import { ErrorAlert } from "../../components/error-alert.tsx";
import { differs, Discard, useDraft } from "../../components/drafts.tsx";
import { dataFieldsOf, initialData } from "./data-fields.ts";
import { RdataFields } from "./rdata-fields.tsx";
import type { RecordDraft } from "./record-draft.ts";
import classes from "./record-form.module.css";
import { contentOf, fullName, partsOf } from "./record-preview.ts";
import { nameExamples, proxiableTypes } from "./record-type-hints.ts";
import { ttlChoices, ttlText } from "./ttl.ts";

interface RecordFormProps {
  readonly label: string;
  readonly initial: RecordDraft;
  readonly zoneName: string;
  readonly action: string;
  readonly pending: boolean;
  readonly error: ApiError | null;
  readonly onSubmit: (draft: RecordDraft) => void;
  /** Saves it, and goes on with another one. */
  readonly onSubmitAndNext?: (draft: RecordDraft) => void;
  /** Gets several lines that were pasted where only one has its place. */
  readonly onPasteLines?: ((text: string) => void) | undefined;
  readonly onCancel: () => void;
}

const fieldPointers = (type: RecordType): readonly string[] => [
  ...["type", "name", "priority", "content", "ttl", "comment", "tags", "proxied"].map((field) => `/${field}`),
  ...dataFieldsOf(type).map(({ name }) => `/data/${name}`),
];

/** The fields of a record, in its place in the table: they take the focus, and give it back to what opened them. */
export function RecordForm({ label, initial, zoneName, action, pending, error, ...on }: RecordFormProps) {
  const [draft, setDraft] = useState(initial);
  const form = useRef<HTMLFormElement>(null);
  const [isClosing, setClosing] = useState(false);
  const hasDraft = differs(initial, draft);
  useDraft(hasDraft);
  const change = (part: Partial<RecordDraft>): void => setDraft({ ...draft, ...part });
  const { type, ttl } = draft;
  const isProxied = draft.proxied && proxiableTypes.has(type);
  const nameInput = useRef<HTMLInputElement>(null);
  const nextButton = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const opener = document.activeElement;
    nameInput.current?.focus();
    return () => {
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  const close = (): void => (hasDraft ? setClosing(true) : on.onCancel());
  useWindowEvent("keydown", (event) => {
    const { key, target } = event;
    if (!(target instanceof Element && form.current?.contains(target) === true)) return;
    // Esc in an open list closes the list.
    if (key === "Escape" && target.ariaExpanded !== "true") close();
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
          if (submitter !== null && submitter === nextButton.current) on.onSubmitAndNext?.(draft);
          else on.onSubmit(draft);
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
              disabled={!proxiableTypes.has(type)}
              description={isProxied && proxyHint(draft)}
              error={errorAt("proxied")}
              onChange={(event) => change({ proxied: event.currentTarget.checked })}
            />
            <Group gap="xs">
              <Button variant="default" onClick={on.onCancel}>
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
          onDiscard={on.onCancel}
        />
      )}
    </>
  );
}

/** What to know about a proxied record whose address is not public. */
function proxyHint({ type, content }: RecordDraft): string | undefined {
  if (type === "CNAME" || parseIpAddress(content.trim()) === undefined) return undefined;
  if (isDiscardAddress(content.trim())) return "Stands for no origin: rules answer.";
  return isPublicAddress(content.trim())
    ? undefined
    : "Not a public address: `edge_origin_networks` says which of them the edge may reach.";
}

/** The record that the fields come to, as far as they are filled in. */
function Preview({ draft, zoneName }: { readonly draft: RecordDraft; readonly zoneName: string }) {
  return (
    <Text size="sm" c="dimmed" className="monospace">
      {fullName(draft.name, zoneName) ?? "…"} {draft.type} {contentOf(draft, zoneName) ?? "…"}
    </Text>
  );
}
