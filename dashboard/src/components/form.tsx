import { Button, Group, Stack, type StackProps } from "@mantine/core";
import type { ReactNode } from "react";

import classes from "./form.module.css";

interface FormProps extends Pick<StackProps, "gap"> {
  readonly onSend: () => void;
  readonly children: ReactNode;
}

/** Fields below each other. A dialog is a child of the page in React, also of its forms: it sends none of these. */
export function Form({ onSend, children, ...stack }: FormProps) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        event.stopPropagation();
        onSend();
      }}
    >
      <Stack {...stack}>{children}</Stack>
    </form>
  );
}

interface FormButtonsProps {
  /** The label of the button that sends the form: "Add", "Save". */
  readonly action: string;
  readonly pending: boolean;
  readonly disabled?: boolean;
  readonly onCancel: () => void;
}

/** The buttons at the end of a form: one sends it, the other leaves it. */
export function FormButtons({ action, pending, disabled = false, onCancel }: FormButtonsProps) {
  return (
    <Group justify="flex-end" className={classes.buttons ?? ""}>
      <Button variant="default" onClick={onCancel}>
        Cancel
      </Button>
      <Button type="submit" loading={pending} disabled={disabled}>
        {action}
      </Button>
    </Group>
  );
}
