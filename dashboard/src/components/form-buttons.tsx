import { Button, Group } from "@mantine/core";

import classes from "./form-buttons.module.css";

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
