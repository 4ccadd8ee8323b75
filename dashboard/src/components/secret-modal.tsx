import { Button, Group, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { Dialog } from "./dialog.tsx";

interface SecretModalProps {
  readonly title: string;
  readonly children: ReactNode;
  readonly onSaved: () => void;
}

/** Shows what cannot be shown again: only the button closes it. */
export function SecretModal({ title, children, onSaved }: SecretModalProps) {
  return (
    <Dialog
      opened
      onClose={onSaved}
      title={title}
      size="lg"
      centered
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Stack>
        {children}
        <Group justify="flex-end">
          <Button onClick={onSaved}>I have saved it</Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
