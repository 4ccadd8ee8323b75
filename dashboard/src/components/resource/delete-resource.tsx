import { ConfirmCall } from "../confirm-modal.tsx";
import type { Resource } from "./resource.ts";
import { showDone } from "../notices.tsx";

/** A longer name is not typed to confirm. */
const typedLengthMax = 60;

interface DeleteResourceProps<Row extends { readonly id: string }> {
  readonly resource: Pick<
    Resource<Row, object, unknown>,
    "noun" | "invalidates" | "nameOf" | "deletion" | "remove"
  >;
  readonly row: Row;
  readonly onDone: () => void;
}

export function DeleteResource<Row extends { readonly id: string }>({
  resource: { noun, invalidates, nameOf, deletion, remove },
  row,
  onDone,
}: DeleteResourceProps<Row>) {
  const name = nameOf(row);
  return (
    <ConfirmCall
      call={remove(row)}
      {...(invalidates && { invalidates })}
      onSuccess={() => {
        showDone(`The ${noun} ${name} was deleted.`);
        onDone();
      }}
      onClose={onDone}
      title={`Delete the ${noun} ${name}`}
      action="Delete"
      typed={name.length > typedLengthMax ? "delete" : name}
    >
      {deletion} This cannot be undone.
    </ConfirmCall>
  );
}
