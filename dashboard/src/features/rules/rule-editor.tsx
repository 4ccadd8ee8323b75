import { NativeSelect, Switch } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";

import type { Phase } from "../../../../src/core/expression/phases.ts";
import { phaseDefinitions } from "../../../../src/core/rulesets/phases.ts";
import type { Rule } from "../../../../src/core/rulesets/rule.ts";
import type { Ruleset } from "../../../../src/core/rulesets/ruleset.ts";
import { ParameterFields } from "./parameter-fields.tsx";
import { errorAt } from "./parameters/surroundings.ts";
import { actingActions, exceptionOf, onlyLogging, toBody, withAction, type RuleDraft } from "./rule-draft.ts";
import { RuleForm } from "./rule-form.tsx";
import { actionName } from "./rule-summary.ts";
import { addressOf, type RulesScope } from "./scope.ts";

interface RuleEditorProps {
  readonly scope: RulesScope;
  readonly phase: Phase;
  /** The part of the address that names the place. */
  readonly placeKey: string;
  /** Undefined where the phase has no rules yet. */
  readonly ruleset: Ruleset | undefined;
  /** Undefined for a new one. */
  readonly rule: Rule | undefined;
  readonly initial: RuleDraft;
  /** Proposed by another page for a new rule. */
  readonly prefilled: { readonly [Name in "expression" | "description"]?: string | undefined };
  /** Whether a new rule lets requests past the others, so that it comes first. */
  readonly isException: boolean;
}

/** A rule of any phase, its action, and the parameters of that. */
export function RuleEditor({
  scope,
  phase,
  placeKey,
  ruleset,
  rule,
  initial,
  prefilled,
  isException,
}: RuleEditorProps) {
  const navigate = useNavigate();
  const [draft, setDraft] = useState<RuleDraft>(() => ({
    ...(isException ? exceptionOf(initial) : initial),
    expression: prefilled.expression ?? initial.expression,
    description: prefilled.description ?? initial.description,
  }));
  const body = toBody(draft, phase, rule);
  const mayLogFirst = rule === undefined && actingActions(phase).includes(draft.action);
  const { actions } = phaseDefinitions[phase];
  return (
    <RuleForm
      owner={scope.owner}
      use={{ phase, plan: scope.plan }}
      ruleset={ruleset}
      rule={rule}
      initial={initial}
      draft={draft}
      onChange={setDraft}
      body={body}
      loggingBody={mayLogFirst ? onlyLogging(body) : undefined}
      isException={isException}
      isShown={(pointer) => /^\/(?:action$|action_parameters\/|ratelimit)/.test(pointer)}
      onLeave={(options) => void navigate({ to: addressOf(scope, placeKey), ...options })}
      renderFields={(error) => (
        <>
          <NativeSelect
            label="Action"
            data={actions.map((action) => ({ value: action, label: actionName(action) }))}
            value={draft.action}
            error={errorAt(error, "/action")}
            onChange={(event) => {
              const { value } = event.currentTarget;
              const action = actions.find((one) => one === value);
              if (action !== undefined) setDraft(withAction(draft, action, phase));
            }}
            maw={320}
          />
          <ParameterFields scope={scope} phase={phase} draft={draft} onChange={setDraft} error={error} />
          {draft.action === "skip" && (
            <Switch
              label="Log the requests that skip"
              checked={draft.isLogged}
              onChange={(event) => setDraft({ ...draft, isLogged: event.currentTarget.checked })}
            />
          )}
        </>
      )}
    />
  );
}
