import {
  Button,
  Group,
  NumberInput,
  Select,
  Stack,
  Switch,
  TagsInput,
  Textarea,
  TextInput,
} from "@mantine/core";
import { useWindowEvent } from "@mantine/hooks";
import { useEffect, useRef, useState } from "react";

import { recordTypes } from "../../../../src/core/dns/record-types.ts";
import type { ApiError } from "../../api/api-error.ts";
import { ErrorAlert } from "../../components/error-alert.tsx";
import { differs, Discard, useDraft } from "../../components/drafts.tsx";
import type { RecordDraft } from "./record-draft.ts";
import classes from "./record-form.module.css";
import { proxiableTypes, recordTypeHints, typesWithPriority } from "./record-type-hints.ts";
import { ttlChoices, ttlText } from "./ttl.ts";

interface RecordFormProps {
  readonly label: string;
  readonly initial: RecordDraft;
  readonly zoneName: string;
  readonly action: string;
  readonly pending: boolean;
  readonly error: ApiError | null;
  readonly onSubmit: (draft: RecordDraft) => void;
  readonly onCancel: () => void;
}

const fieldPointers = ["type", "name", "priority", "content", "ttl", "comment", "tags"].map(
  (field) => `/${field}`,
);

/** The fields of a record, in its place in the table: they take the focus, and give it back to what opened them. */
export function RecordForm({ label, initial, zoneName, action, pending, error, ...on }: RecordFormProps) {
  const [draft, setDraft] = useState(initial);
  const form = useRef<HTMLFormElement>(null);
  const [isClosing, setClosing] = useState(false);
  const hasDraft = differs(initial, draft);
  useDraft(hasDraft);
  const change = (part: Partial<RecordDraft>): void => setDraft({ ...draft, ...part });
  const { type, ttl } = draft;
  const hint = recordTypeHints[type];
  const isProxied = draft.proxied && proxiableTypes.has(type);
  const nameInput = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const opener = document.activeElement;
    nameInput.current?.focus();
    return () => {
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  const close = (): void => (hasDraft ? setClosing(true) : on.onCancel());
  useWindowEvent("keydown", (event) => {
    const { target } = event;
    // Esc in an open list closes the list.
    const isOfForm =
      target instanceof Element && form.current?.contains(target) && target.ariaExpanded !== "true";
    if (event.key === "Escape" && isOfForm) close();
  });
  const errorAt = (field: string): string | undefined => error?.about(`/${field}`);
  return (
    <>
      <form
        aria-label={label}
        ref={form}
        onSubmit={(event) => {
          event.preventDefault();
          on.onSubmit(draft);
        }}
      >
        <Stack gap="sm">
          <div className={classes.fields}>
            <Select
              label="Type"
              className={classes.short ?? ""}
              data={[...recordTypes]}
              value={type}
              onChange={(value) => change({ type: recordTypes.find((known) => known === value) ?? type })}
              allowDeselect={false}
              searchable
              error={errorAt("type")}
            />
            <TextInput
              label="Name"
              className={classes.name ?? ""}
              placeholder={`@ for ${zoneName}`}
              required
              withAsterisk={false}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              ref={nameInput}
              value={draft.name}
              onChange={(event) => change({ name: event.currentTarget.value })}
              error={errorAt("name")}
            />
            {typesWithPriority.has(type) && (
              <NumberInput
                label="Priority"
                className={classes.short ?? ""}
                min={0}
                max={65_535}
                allowDecimal={false}
                value={draft.priority}
                onChange={(value) => change({ priority: Number(value) })}
                error={errorAt("priority")}
              />
            )}
            <Textarea
              label={hint.label}
              className={classes.content ?? ""}
              placeholder={hint.example}
              required
              withAsterisk={false}
              autosize
              minRows={1}
              maxRows={6}
              autoCapitalize="none"
              spellCheck={false}
              value={draft.content}
              onKeyDown={(event) => {
                if (event.key !== "Enter" || event.shiftKey) return;
                event.preventDefault();
                event.currentTarget.form?.requestSubmit();
              }}
              onChange={(event) => change({ content: event.currentTarget.value })}
              error={errorAt("content")}
            />
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
          </div>
          <div className={classes.fields}>
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
          <ErrorAlert title="The record was not saved" error={error} saidAt={fieldPointers} />
          <Group justify="space-between">
            <Switch
              label="Proxied"
              checked={isProxied}
              disabled={!proxiableTypes.has(type)}
              onChange={(event) => change({ proxied: event.currentTarget.checked })}
            />
            <Group gap="xs">
              <Button variant="default" onClick={on.onCancel}>
                Cancel
              </Button>
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
