import { Button, Group, Text, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";

import type { ApiError } from "../api/api-error.ts";
import { CurrentPasswordInput } from "./new-password-fields.tsx";
import { FormModal } from "./drafts.tsx";
import { ErrorAlert } from "./error-alert.tsx";
import { Form } from "./form.tsx";

interface PasswordDialogProps<Result> {
  readonly title: string;
  /** The consequences. */
  readonly children?: ReactNode;
  /** The button that does it. */
  readonly action: string;
  readonly color?: string;
  /** The meaning of a refusal. */
  readonly failure?: string;
  /** Whether a name is asked for too. */
  readonly named?: boolean;
  readonly send: (password: string, name: string) => Promise<Result>;
  readonly onDone: (result: Result) => void;
  readonly onClose: () => void;
}

/** Asks for the password once more. */
export function PasswordDialog<Result>({
  title,
  children,
  action,
  color = "harbor",
  failure,
  named = false,
  send,
  onDone,
  onClose,
}: PasswordDialogProps<Result>) {
  const [password, setPassword] = useState("");
  const [name, setName] = useState("");
  const { mutate, isPending, error } = useMutation<Result, ApiError>({
    mutationFn: () => send(password, name),
    // The answer may be a secret.
    gcTime: 0,
    onSuccess: onDone,
  });
  return (
    <FormModal opened onClose={onClose} title={title} centered>
      <Form onSend={() => mutate()}>
        {children !== undefined && (
          <Text size="sm" component="div">
            {children}
          </Text>
        )}
        {named && (
          <TextInput
            label="Name"
            placeholder="Laptop"
            maxLength={100}
            data-autofocus
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
        )}
        <CurrentPasswordInput data-autofocus={!named} value={password} onChange={setPassword} />
        <ErrorAlert title={failure} error={error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" color={color} loading={isPending}>
            {action}
          </Button>
        </Group>
      </Form>
    </FormModal>
  );
}
