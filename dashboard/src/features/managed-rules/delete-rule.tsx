import { notifications } from "@mantine/notifications";

import { useApiMutation } from "../../api/query.ts";
import { deleteRule, rulesetsPath, type Rule, type RulesetHead } from "../../api/rulesets.ts";
import { zonePath } from "../../api/zones.ts";
import { ConfirmModal } from "../../components/confirm-modal.tsx";
import { RuleText } from "./rule-text.tsx";

interface DeleteRuleProps {
  readonly zoneId: string;
  readonly rulesetId: string;
  readonly rule: Rule;
  readonly rulesets: readonly RulesetHead[];
  readonly onDone: () => void;
}

/** Asks before a rule is deleted. */
export function DeleteRule({ zoneId, rulesetId, rule, rulesets, onDone }: DeleteRuleProps) {
  const call = deleteRule(zonePath(zoneId), rulesetId, rule.id);
  const { mutate, isPending, error } = useApiMutation(() => call, {
    invalidates: [rulesetsPath(zonePath(zoneId))],
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
      <RuleText rule={rule} rulesets={rulesets} />
    </ConfirmModal>
  );
}
