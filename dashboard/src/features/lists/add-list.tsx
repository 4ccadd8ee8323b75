import { NativeSelect, TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";

import type { ListKind } from "../../../../src/core/lists/kinds.ts";
import { listKinds } from "../../../../src/core/lists/kinds.ts";
import { call } from "../../api/call.ts";
import { useApiMutation } from "../../api/query.ts";
import { CurlCommand } from "../../components/curl-command.tsx";
import { differs, Draft, FormModal } from "../../components/drafts.tsx";
import { ErrorAlert } from "../../components/error-alert.tsx";
import { Form, FormButtons } from "../../components/form.tsx";
import { kindTexts } from "./list-kinds.ts";

interface ListDraft {
  readonly name: string;
  readonly description: string;
  readonly kind: ListKind;
}

const emptyDraft: ListDraft = { name: "", description: "", kind: "ip" };

interface AddListProps {
  readonly accountId: string;
  readonly onClose: () => void;
}

/** A new list, whose page is opened. */
export function AddList({ accountId, onClose }: AddListProps) {
  const navigate = useNavigate();
  const [draft, setDraft] = useState(emptyDraft);
  const { name, description, kind } = draft;
  const request = call(
    "createList",
    { account_id: accountId },
    { name, kind, ...(description !== "" && { description }) },
  );
  const { mutate, isPending, error } = useApiMutation(() => request, {
    onSuccess: ({ result }) =>
      navigate({
        to: "/accounts/$accountId/rules/lists/$listId",
        params: { accountId, listId: result.id },
        ignoreBlocker: true,
      }),
  });
  return (
    <FormModal opened onClose={onClose} title="Add a list">
      <Form onSend={() => mutate(undefined)}>
        <Draft isChanged={differs(emptyDraft, draft)} />
        <TextInput
          label="Name"
          description="Small letters, digits and underscores; expressions name the list by it."
          required
          withAsterisk={false}
          data-autofocus
          spellCheck={false}
          autoCapitalize="none"
          value={name}
          error={error?.about("/name")}
          onChange={(event) => setDraft({ ...draft, name: event.currentTarget.value })}
        />
        <NativeSelect
          label="Kind"
          data={listKinds.map((one) => ({ value: one, label: kindTexts[one].title }))}
          value={kind}
          error={error?.about("/kind")}
          onChange={(event) => {
            const chosen = listKinds.find((one) => one === event.currentTarget.value);
            if (chosen !== undefined) setDraft({ ...draft, kind: chosen });
          }}
        />
        <TextInput
          label="Description"
          value={description}
          error={error?.about("/description")}
          onChange={(event) => setDraft({ ...draft, description: event.currentTarget.value })}
        />
        <CurlCommand call={request} />
        <ErrorAlert
          title="The list was not added"
          error={error}
          saidAt={["/name", "/kind", "/description"]}
        />
        <FormButtons action="Add" pending={isPending} onCancel={onClose} />
      </Form>
    </FormModal>
  );
}
