import { notifications } from "@mantine/notifications";
import type { ReactNode } from "react";

import type { Rule } from "../../../src/core/rulesets/rule.ts";
import type { Ruleset } from "../../../src/core/rulesets/ruleset.ts";
import type { ApiError } from "../api/api-error.ts";
import { call } from "../api/call.ts";
import { useApiMutation } from "../api/query.ts";
import type { RuleBody, RulesetOwner } from "../rule-phases.ts";
import { ConfirmCall } from "./confirm-modal.tsx";
import { offerUndo, showDone } from "./notices.tsx";

interface DeleteRuleProps {
  readonly owner: RulesetOwner;
  readonly ruleset: Pick<Ruleset, "id" | "rules">;
  readonly rule: Rule;
  readonly onDone: () => void;
  /** The rule, as the page shows it. */
  readonly children: ReactNode;
}

/** Asks before a rule is deleted. The notice that says so can bring it back at its place, with a new id. */
export function DeleteRule({ owner, ruleset, rule, onDone, children }: DeleteRuleProps) {
  const index = (ruleset.rules ?? []).findIndex(({ id }) => id === rule.id) + 1;
  const restore = useApiMutation(() =>
    call("createRule", { ...owner, ruleset_id: ruleset.id }, { ...restoredBody(rule), position: { index } }),
  );
  const onUndo = async (): Promise<void> => {
    try {
      await restore.mutateAsync(undefined);
      showDone("The rule was restored.");
    } catch (error) {
      notifications.show({
        color: "red",
        title: "The rule could not be restored",
        message: (error as ApiError).message,
        autoClose: false,
      });
    }
  };
  return (
    <ConfirmCall
      call={call("deleteRule", { ...owner, ruleset_id: ruleset.id, rule_id: rule.id })}
      onSuccess={() => {
        offerUndo("The rule was deleted.", () => void onUndo());
        onDone();
      }}
      onClose={onDone}
      title="Delete the rule"
      action="Delete"
    >
      {children}
    </ConfirmCall>
  );
}

/** The body that makes the same rule again. A reference is the id of a rule unless somebody chose it. */
function restoredBody({ id, ref, version: _version, last_updated: _lastUpdated, ...rule }: Rule): RuleBody {
  return { ...rule, ...(ref !== id && { ref }) };
}
