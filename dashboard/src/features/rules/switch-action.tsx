import { NativeSelect, Stack, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useState } from "react";

import type { Phase } from "../../../../src/core/expression/phases.ts";
import type { Rule } from "../../../../src/core/rulesets/rule.ts";
import { call } from "../../api/call.ts";
import { ConfirmCall } from "../../components/confirm-call.tsx";
import { definitionOf } from "./rule-definition.ts";
import { actingActions, onlyLogging } from "./rule-draft.ts";
import { actionName } from "./rule-summary.ts";
import type { RulesScope } from "./scope.ts";

interface SwitchActionProps {
  readonly scope: RulesScope;
  readonly rulesetId: string;
  readonly phase: Phase;
  readonly rule: Rule;
  readonly onDone: () => void;
}

/** Has a rule that only logs act, or one that acts only log. */
export function SwitchAction({ scope, rulesetId, phase, rule, onDone }: SwitchActionProps) {
  const acting = actingActions(phase);
  const [chosen, setChosen] = useState(acting[0]);
  const isLogging = rule.action === "log";
  const definition = definitionOf(rule);
  const body = isLogging ? { ...definition, action: chosen ?? "block" } : onlyLogging(definition);
  return (
    <ConfirmCall
      call={call("editRule", { ...scope.owner, ruleset_id: rulesetId, rule_id: rule.id }, body)}
      onSuccess={() => {
        notifications.show({
          message: isLogging ? `The rule now acts: ${actionName(body.action)}.` : "The rule now only logs.",
        });
        onDone();
      }}
      onClose={onDone}
      title={isLogging ? "Act instead of logging" : "Only log"}
      action={isLogging ? "Act" : "Only log"}
      color="harbor"
    >
      <Stack gap="sm">
        <Text size="sm">
          {isLogging
            ? "Look at what the rule has logged before it acts on requests."
            : "Requests that the rule matches pass it, and are logged as security events."}
        </Text>
        {isLogging && (
          <NativeSelect
            label="Action"
            data={acting.map((action) => ({ value: action, label: actionName(action) }))}
            value={chosen ?? ""}
            onChange={(event) => setChosen(acting.find((action) => action === event.currentTarget.value))}
          />
        )}
      </Stack>
    </ConfirmCall>
  );
}
