import { notifications } from "@mantine/notifications";

import { useApiMutation } from "../../api/query.ts";
import { ConfirmModal } from "../confirm-modal.tsx";
import type { Resource } from "./resource.ts";

/** A longer name is not typed to confirm. */
const typedLengthMax = 60;

interface DeleteResourceProps<Row extends { readonly id: string }> {
  readonly resource: Pick<Resource<Row, object, unknown>, "noun" | "path" | "nameOf" | "deletion" | "remove">;
  readonly row: Row;
  readonly onDone: () => void;
}

/** Asks for the name before one of a resource is deleted. */
export function DeleteResource<Row extends { readonly id: string }>({
  resource: { noun, path, nameOf, deletion, remove },
  row,
  onDone,
}: DeleteResourceProps<Row>) {
  const name = nameOf(row);
  const call = remove(row);
  const { mutate, isPending, error } = useApiMutation(() => call, {
    invalidates: [path],
    onSuccess: () => {
      notifications.show({ color: "green", message: `The ${noun} ${name} was deleted.` });
      onDone();
    },
  });
  return (
    <ConfirmModal
      opened
      onClose={onDone}
      title={`Delete the ${noun} ${name}`}
      action="Delete"
      typed={name.length > typedLengthMax ? "delete" : name}
      pending={isPending}
      error={error}
      call={call}
      onConfirm={() => mutate(undefined)}
    >
      {deletion} This cannot be undone.
    </ConfirmModal>
  );
}
