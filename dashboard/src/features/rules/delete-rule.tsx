import { notifications } from "@mantine/notifications";

import { useApiMutation } from "../../api/query.ts";
import { deleteRule, rulesetsPath, type Rule } from "../../api/rulesets.ts";
import { ConfirmModal } from "../../components/confirm-modal.tsx";
import { RuleText } from "./rule-table.tsx";
import type { RulesScope } from "./scope.ts";

interface DeleteRuleProps {
  readonly scope: RulesScope;
  readonly rulesetId: string;
  readonly rule: Rule;
  readonly onDone: () => void;
}

/** Asks before a rule is deleted. */
export function DeleteRule({ scope, rulesetId, rule, onDone }: DeleteRuleProps) {
  const call = deleteRule(scope.path, rulesetId, rule.id);
  const { mutate, isPending, error } = useApiMutation(() => call, {
    invalidates: [rulesetsPath(scope.path)],
    onSuccess: () => {
      notifications.show({ message: "The rule was deleted." });
      onDone();
    },
  });
  return (
    <ConfirmModal
      opened
      onClose={onDone}
      title="Delete the rule"
      action="Delete"
      call={call}
      pending={isPending}
      error={error}
      onConfirm={() => mutate(undefined)}
    >
      <RuleText rule={rule} />
    </ConfirmModal>
  );
}
