import { notifications } from "@mantine/notifications";
import { useNavigate } from "@tanstack/react-router";

import { useApiMutation } from "../../api/query.ts";
import { deleteRuleset, rulesetPath, rulesetsPath, type Ruleset } from "../../api/rulesets.ts";
import { ConfirmModal } from "../../components/confirm-modal.tsx";
import { addressOf, type RulesScope } from "./scope.ts";

interface DeleteRulesetProps {
  readonly scope: RulesScope;
  readonly ruleset: Ruleset;
  readonly onClose: () => void;
}

/** Asks before a ruleset goes with all of its versions. */
export function DeleteRuleset({ scope, ruleset, onClose }: DeleteRulesetProps) {
  const navigate = useNavigate();
  const call = deleteRuleset(scope.path, ruleset.id);
  const { mutate, isPending, error } = useApiMutation(() => call, {
    invalidates: [rulesetsPath(scope.path)],
    removes: [rulesetPath(scope.path, ruleset.id)],
    onSuccess: () => {
      notifications.show({ message: `The ruleset ${ruleset.name} was deleted.` });
      return navigate({ to: addressOf(scope) });
    },
  });
  return (
    <ConfirmModal
      opened
      onClose={onClose}
      title="Delete the ruleset"
      action="Delete"
      typed={ruleset.name}
      call={call}
      pending={isPending}
      error={error}
      onConfirm={() => mutate(undefined)}
    >
      {ruleset.name} goes with its rules and all of its versions.
    </ConfirmModal>
  );
}
