import { Button, Group, Text, TextInput } from "@mantine/core";
import { useState, type ReactNode } from "react";

import type { ApiCall } from "../api/call.ts";
import { CurlCommand } from "./curl-command.tsx";
import { Dialog } from "./dialog.tsx";
import { ErrorAlert } from "./error-alert.tsx";
import { useApiMutation, type ApiMutationOptions } from "../api/query.ts";
import { Form } from "./form.tsx";

interface ConfirmModalProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** The consequences. */
  readonly children: ReactNode;
  /** The button that does it: "Delete the zone". */
  readonly action: string;
  readonly onConfirm: () => void;
  readonly pending: boolean;
  readonly error: Error | null;
  readonly call?: ApiCall<unknown>;
  /** Has to be typed first, for what cannot be undone and is large. */
  readonly typed?: string;
  /** The button that does not: "Cancel" unless another word is clearer. */
  readonly cancel?: string;
  /** Red unless it takes nothing away. */
  readonly color?: string;
}

export function ConfirmModal({ opened, onClose, title, ...question }: ConfirmModalProps) {
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={title}
      centered
      size="lg"
      closeOnClickOutside={question.typed === undefined}
    >
      <Question onClose={onClose} {...question} />
    </Dialog>
  );
}

type QuestionProps = Omit<ConfirmModalProps, "opened" | "title">;

function Question({
  onClose,
  children,
  action,
  onConfirm,
  pending,
  error,
  call,
  typed,
  cancel = "Cancel",
  color,
}: QuestionProps) {
  const [text, setText] = useState("");
  return (
    <Form onSend={() => onConfirm()}>
      <Text component="div" size="sm">
        {children}
      </Text>
      {typed !== undefined && (
        <TextInput
          label={`Type ${typed} to continue`}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
        />
      )}
      {call !== undefined && <CurlCommand call={call} />}
      <ErrorAlert error={error} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} data-autofocus={typed === undefined}>
          {cancel}
        </Button>
        <Button
          type="submit"
          color={color ?? "red"}
          loading={pending}
          disabled={typed !== undefined && text.trim() !== typed}
        >
          {action}
        </Button>
      </Group>
    </Form>
  );
}

interface ConfirmCallProps<Result>
  extends
    Omit<ConfirmModalProps, "opened" | "call" | "pending" | "error" | "onConfirm">,
    ApiMutationOptions<Result> {
  readonly call: ApiCall<Result>;
}

const none: readonly [] = [];

/** Asks before a call that cannot be undone, sends it, and closes once it succeeded, or does what is said instead. */
export function ConfirmCall<Result>({
  call,
  onClose,
  invalidates = none,
  removes = none,
  onSuccess = onClose,
  ...question
}: ConfirmCallProps<Result>) {
  const { mutate, isPending, error } = useApiMutation(() => call, { invalidates, removes, onSuccess });
  return (
    <ConfirmModal
      opened
      onClose={onClose}
      pending={isPending}
      error={error}
      call={call}
      onConfirm={() => mutate(undefined)}
      {...question}
    />
  );
}
