import { Stack, Textarea } from "@mantine/core";
import { useState } from "react";

import { call, type BodyOf } from "../../api/call.ts";
import { useApiMutation } from "../../api/query.ts";
import { Draft, FormModal } from "../../components/drafts.tsx";
import { ErrorAlert } from "../../components/error-alert.tsx";
import { FormButtons } from "../../components/form-buttons.tsx";

const example = JSON.stringify(
  { match: { operation: "createZone", next: 1 }, effect: { type: "error", status: 503 } },
  undefined,
  2,
);

/** Asks for a rule, or a list of rules, as JSON. */
export function AddFault({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState(example);
  const { mutate, isPending, error } = useApiMutation((added: NewFaults) => call("createFaults", {}, added), {
    onSuccess: onClose,
  });
  const rules = parse(text);
  return (
    <FormModal opened onClose={onClose} title="Add a fault">
      <Draft isChanged={text !== example} />
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (rules !== undefined) mutate(rules);
        }}
      >
        <Stack>
          <Textarea
            label="Rule"
            description="JSON: a rule or a list of them"
            error={rules === undefined ? "This is not JSON" : undefined}
            autosize
            minRows={8}
            ff="monospace"
            spellCheck={false}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <ErrorAlert title="Nothing was added" error={error} />
          <FormButtons action="Add" pending={isPending} disabled={rules === undefined} onCancel={onClose} />
        </Stack>
      </form>
    </FormModal>
  );
}

type NewFaults = BodyOf<"createFaults">;

function parse(text: string): NewFaults | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as NewFaults) : undefined;
  } catch {
    return undefined;
  }
}
