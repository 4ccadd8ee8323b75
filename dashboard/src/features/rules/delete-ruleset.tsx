import { notifications } from "@mantine/notifications";
import { useNavigate } from "@tanstack/react-router";

import type { Ruleset } from "../../../../src/core/rulesets/ruleset.ts";
import { call } from "../../api/call.ts";
import { ConfirmCall } from "../../components/confirm-call.tsx";
import { addressOf, type RulesScope } from "./scope.ts";

interface DeleteRulesetProps {
  readonly scope: RulesScope;
  readonly ruleset: Ruleset;
  readonly onClose: () => void;
}

/** Asks before a ruleset goes with all of its versions. */
export function DeleteRuleset({ scope, ruleset, onClose }: DeleteRulesetProps) {
  const navigate = useNavigate();
  return (
    <ConfirmCall
      call={call("deleteRuleset", { ...scope.owner, ruleset_id: ruleset.id })}
      removes={[call("getRuleset", { ...scope.owner, ruleset_id: ruleset.id })]}
      onSuccess={() => {
        notifications.show({ message: `The ruleset ${ruleset.name} was deleted.` });
        return navigate({ to: addressOf(scope) });
      }}
      onClose={onClose}
      title="Delete the ruleset"
      action="Delete"
      typed={ruleset.name}
    >
      {ruleset.name} goes with its rules and all of its versions.
    </ConfirmCall>
  );
}
