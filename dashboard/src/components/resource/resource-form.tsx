import { Button, Group, Stack } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useState } from "react";

import { useApiMutation } from "../../api/query.ts";
import { CurlCommand } from "../curl-command.tsx";
import { differs, FormModal, useDraft } from "../drafts.tsx";
import { ErrorAlert } from "../error-alert.tsx";
import type { Field } from "./field.tsx";
import { aNoun, type Resource } from "./resource.ts";

interface ResourceFormProps<Row extends { readonly id: string }, Draft extends object, Listed> {
  readonly resource: Resource<Row, Draft, Listed>;
  /** What is changed; undefined to add one. */
  readonly row: Row | undefined;
  readonly onDone: () => void;
}

/** Adds one of a resource, or changes one. */
export function ResourceForm<Row extends { readonly id: string }, Draft extends object, Listed>(
  props: ResourceFormProps<Row, Draft, Listed>,
) {
  const { resource, row, onDone } = props;
  return (
    <FormModal
      opened
      onClose={onDone}
      title={row === undefined ? `Add ${aNoun(resource.noun)}` : `Change the ${resource.noun}`}
    >
      <Form {...props} />
    </FormModal>
  );
}

/** A part that is empty though it has to be filled in. */
const isGap = ({ isOptional = false }: Field<never>, value: unknown): boolean =>
  !isOptional && (value === "" || (Array.isArray(value) && value.length === 0));

function Form<Row extends { readonly id: string }, Draft extends object, Listed>({
  resource: { noun, path, fields, blank, draftOf, create, createdAt = "", edit, nameOf },
  row,
  onDone,
}: ResourceFormProps<Row, Draft, Listed>) {
  const [initial] = useState(() => (row === undefined ? blank : draftOf(row)));
  const [draft, setDraft] = useState(initial);
  useDraft(differs(initial, draft));
  const call = row === undefined ? create(draft) : edit(row, draft);
  const { mutate, isPending, error } = useApiMutation(() => call, {
    invalidates: [path],
    onSuccess: () => {
      const message =
        row === undefined ? `The ${noun} was added.` : `The ${noun} ${nameOf(row)} was changed.`;
      notifications.show({ color: "green", message });
      onDone();
    },
  });
  const parts = (Object.keys(fields) as (keyof Draft & string)[]).map(
    (part) => [part, fields[part] as unknown as Field<never>] as const,
  );
  const [isTried, setTried] = useState(false);
  const gaps = new Set(parts.filter(([part, field]) => isGap(field, draft[part])).map(([part]) => part));
  const first = parts.find(([, { isFixed }]) => row === undefined || isFixed !== true)?.[0];
  const root = row === undefined ? createdAt : "";
  const pointers = parts.flatMap(([, { pointer }]) => (pointer === undefined ? [] : root + pointer));
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (gaps.size === 0) mutate(undefined);
      }}
    >
      <Stack>
        {parts.map(
          ([part, { control: Control, pointer, isFixed = false, label, description, placeholder }]) => (
            <Control
              key={part}
              words={{
                label,
                ...(description !== undefined && { description }),
                ...(placeholder !== undefined && { placeholder }),
              }}
              value={draft[part] as never}
              onChange={(value) => setDraft({ ...draft, [part]: value })}
              error={
                isTried && gaps.has(part)
                  ? "Fill this in"
                  : pointer === undefined
                    ? undefined
                    : error?.within(root + pointer)
              }
              disabled={isFixed && row !== undefined}
              isFirst={part === first}
            />
          ),
        )}
        {gaps.size === 0 && <CurlCommand call={call} />}
        <ErrorAlert
          title={`The ${noun} was not saved`}
          error={error}
          saidAt={error?.pointersWithin(pointers) ?? []}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onDone}>
            Cancel
          </Button>
          <Button type="submit" loading={isPending}>
            {row === undefined ? "Add" : "Save"}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
