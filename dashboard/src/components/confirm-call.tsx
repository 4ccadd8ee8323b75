import type { ApiCall } from "../api/call.ts";
import { useApiMutation, type ApiMutationOptions } from "../api/query.ts";
import { ConfirmModal, type ConfirmModalProps } from "./confirm-modal.tsx";

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
