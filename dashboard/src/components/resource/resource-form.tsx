import { notifications } from "@mantine/notifications";
import { useState } from "react";

import { useApiMutation } from "../../api/query.ts";
import { CurlCommand } from "../curl-command.tsx";
import { differs, FormModal, useDraft } from "../drafts.tsx";
import { ErrorAlert } from "../error-alert.tsx";
import { Form, FormButtons } from "../form.tsx";
import { FieldControls, partsOf, pointersOf } from "./field-controls.tsx";
import type { Fields } from "./field.tsx";
import { aNoun, type Resource } from "./resource.ts";

interface ResourceFormProps<Row extends { readonly id: string }, Draft extends object, Listed> {
  readonly resource: Pick<
    Resource<Row, Draft, Listed>,
    "noun" | "invalidates" | "fields" | "blank" | "draftOf" | "create" | "createdAt" | "edit" | "nameOf"
  >;
  /** The row to change; undefined to add one. */
  readonly row: Row | undefined;
  readonly onDone: () => void;
}

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
      <FieldsForm {...props} />
    </FormModal>
  );
}

/** The parts of a draft that are empty though they have to be filled in. */
function gapsOf<Draft extends object>(fields: Fields<Draft>, draft: Draft): ReadonlySet<string> {
  const isEmpty = (value: unknown): boolean => value === "" || (Array.isArray(value) && value.length === 0);
  return new Set(
    partsOf(fields)
      .filter(([part, { isOptional = false }]) => !isOptional && isEmpty(draft[part]))
      .map(([part]) => part),
  );
}

function FieldsForm<Row extends { readonly id: string }, Draft extends object, Listed>({
  resource: { noun, invalidates, fields, blank, draftOf, create, createdAt = "", edit, nameOf },
  row,
  onDone,
}: ResourceFormProps<Row, Draft, Listed>) {
  const [initial] = useState(() => (row === undefined ? blank : draftOf(row)));
  const [draft, setDraft] = useState(initial);
  useDraft(differs(initial, draft));
  const call = row === undefined ? create(draft) : edit(row, draft);
  const { mutate, isPending, error } = useApiMutation(() => call, {
    ...(invalidates && { invalidates }),
    onSuccess: () => {
      const message =
        row === undefined ? `The ${noun} was added.` : `The ${noun} ${nameOf(row)} was changed.`;
      notifications.show({ color: "green", message });
      onDone();
    },
  });
  const [isTried, setTried] = useState(false);
  const gaps = gapsOf(fields, draft);
  const root = row === undefined ? createdAt : "";
  return (
    <Form
      onSend={() => {
        setTried(true);
        if (gaps.size === 0) mutate(undefined);
      }}
    >
      <FieldControls
        fields={fields}
        draft={draft}
        onChange={setDraft}
        error={error}
        root={root}
        isMade={row !== undefined}
        {...(isTried && { gaps })}
      />
      {gaps.size === 0 && <CurlCommand call={call} />}
      <ErrorAlert
        title={`The ${noun} was not saved`}
        error={error}
        saidAt={error?.pointersWithin(pointersOf(fields, root)) ?? []}
      />
      <FormButtons action={row === undefined ? "Add" : "Save"} pending={isPending} onCancel={onDone} />
    </Form>
  );
}
