import { Button, Group, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";

import type { ApiError } from "../../api/api-error.ts";
import { FormModal } from "../../components/drafts.tsx";
import { ErrorAlert } from "../../components/error-alert.tsx";

interface PasswordDialogProps<Result> {
  readonly title: string;
  /** What will happen. */
  readonly children: ReactNode;
  /** The button that does it. */
  readonly action: string;
  readonly color?: string;
  /** Whether a name is asked for too. */
  readonly named?: boolean;
  readonly send: (password: string, name: string) => Promise<Result>;
  readonly onDone: (result: Result) => void;
  readonly onClose: () => void;
}

/** Asks for the password once more before a change of the second factors. */
export function PasswordDialog<Result>({
  title,
  children,
  action,
  color = "harbor",
  named = false,
  send,
  onDone,
  onClose,
}: PasswordDialogProps<Result>) {
  const [password, setPassword] = useState("");
  const [name, setName] = useState("");
  const { mutate, isPending, error } = useMutation<Result, ApiError>({
    mutationFn: () => send(password, name),
    onSuccess: onDone,
  });
  return (
    <FormModal opened onClose={onClose} title={title} centered>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          mutate();
        }}
      >
        <Stack>
          <Text size="sm" component="div">
            {children}
          </Text>
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
          <PasswordInput
            label="Password"
            autoComplete="current-password"
            required
            withAsterisk={false}
            data-autofocus={!named}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          <ErrorAlert error={error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" color={color} loading={isPending}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </FormModal>
  );
}
