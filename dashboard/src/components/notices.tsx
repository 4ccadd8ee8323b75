import { Button, Group, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";

/** Long enough to read what happened and to think again. */
const undoMs = 20_000;

/** Says that something is done. */
export function showDone(message: string): void {
  notifications.show({ color: "green", message });
}

/** Says what happened, and for a while offers to take it back. */
export function offerUndo(message: string, onUndo: () => void): void {
  const id = notifications.show({
    autoClose: undoMs,
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">{message}</Text>
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => {
            notifications.hide(id);
            onUndo();
          }}
        >
          Undo
        </Button>
      </Group>
    ),
  });
}
