import { Button, Card, Group, Text, Title } from "@mantine/core";
import { useState, type ReactNode } from "react";

import type { ApiCall } from "../api/call.ts";
import { useApiMutation } from "../api/query.ts";
import { differs, useDraft } from "./drafts.tsx";
import { ErrorAlert } from "./error-alert.tsx";
import { Facts } from "./facts.tsx";
import { FieldControls, pointersOf } from "./resource/field-controls.tsx";
import type { Fields } from "./resource/field.tsx";
import { Form } from "./form.tsx";
import { showDone } from "./notices.tsx";

interface DetailsFormProps<Draft extends object> {
  readonly title?: string;
  readonly description?: ReactNode;
  /** Names the saved details, in the plural. */
  readonly what?: string;
  /** Details that cannot be changed. */
  readonly facts?: Readonly<Record<string, ReactNode>>;
  readonly fields: Fields<Draft>;
  readonly initial: Draft;
  readonly callOf: (draft: Draft) => ApiCall<unknown>;
}

/** A page of a single thing, such as a user or an account: its facts, and fields that change it. */
export function DetailsForm<Draft extends object>({
  title,
  description,
  what = "details",
  facts,
  fields,
  initial,
  callOf,
}: DetailsFormProps<Draft>) {
  const [draft, setDraft] = useState(initial);
  const isChanged = differs(initial, draft);
  useDraft(isChanged);
  const { mutate, isPending, error } = useApiMutation(() => callOf(draft), {
    onSuccess: () => showDone(`The ${what} were saved.`),
  });
  return (
    <Card withBorder padding="lg" maw="40rem">
      <Form onSend={() => mutate(undefined)}>
        {title !== undefined && <Title order={2}>{title}</Title>}
        {description !== undefined && (
          <Text size="sm" c="dimmed">
            {description}
          </Text>
        )}
        {facts !== undefined && <Facts facts={facts} />}
        <FieldControls fields={fields} draft={draft} onChange={setDraft} error={error} />
        <ErrorAlert
          title={`The ${what} were not saved`}
          error={error}
          saidAt={error?.pointersWithin(pointersOf(fields)) ?? []}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={isPending} disabled={!isChanged}>
            Save
          </Button>
        </Group>
      </Form>
    </Card>
  );
}
