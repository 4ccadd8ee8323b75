import { Button, Group, Stack, type StackProps } from "@mantine/core";
import { useLayoutEffect, useRef, type ReactNode, type RefObject } from "react";

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

type Field = HTMLInputElement | HTMLTextAreaElement;

/**
 * Keeps the form around a field from being sent as long as there is a message about what stands in the field: the
 * browser then goes to the field and shows it, as for a required field that is empty. For input that no draft could
 * hold. (https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#dom-cva-setcustomvalidity)
 */
export function useFieldValidity<Kind extends Field>(message: string | undefined): RefObject<Kind | null> {
  const field = useRef<Kind>(null);
  useLayoutEffect(() => field.current?.setCustomValidity(message ?? ""), [message]);
  return field;
}
