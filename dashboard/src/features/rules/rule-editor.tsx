import { Button, Card, Group, NativeSelect, Stack, Switch, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";

import type { Phase } from "../../../../src/core/expression/phases.ts";
import { phaseDefinitions } from "../../../../src/core/rulesets/phases.ts";
import type { Rule } from "../../../../src/core/rulesets/rule.ts";
import type { Ruleset } from "../../../../src/core/rulesets/ruleset.ts";
import { type ApiCall, call } from "../../api/call.ts";
import { useApiMutation } from "../../api/query.ts";
import { CurlCommand } from "../../components/curl-command.tsx";
import { differs, useDraft } from "../../components/drafts.tsx";
import { ErrorAlert } from "../../components/error-alert.tsx";
import { ExpressionInput } from "../../components/expression-input.tsx";
import type { RuleBody } from "../../rule-phases.ts";
import { ParameterFields } from "./parameter-fields.tsx";
import { errorAt } from "./parameters/surroundings.ts";
import { actingActions, exceptionOf, onlyLogging, toBody, withAction, type RuleDraft } from "./rule-draft.ts";
import { errorOfRule } from "./rule-error.ts";
import { actionName } from "./rule-summary.ts";
import { addressOf, type RulesScope } from "./scope.ts";

interface RuleEditorProps {
  readonly scope: RulesScope;
  readonly phase: Phase;
  /** As the address has it. */
  readonly placeKey: string;
  /** Undefined where the phase has no rules yet. */
  readonly ruleset: Ruleset | undefined;
  /** Undefined for a new one. */
  readonly rule: Rule | undefined;
  readonly initial: RuleDraft;
  /** What another page proposes for a new rule. */
  readonly prefilled: { readonly [Name in "expression" | "description"]?: string | undefined };
  /** Whether a new rule lets requests past the others, so that it comes first. */
  readonly isException: boolean;
}

const fieldPointers: ReadonlySet<string> = new Set(["/description", "/expression", "/action"]);

/** A rule of any phase: which requests, what is done with them, and with which parameters. */
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
  useDraft(differs(initial, draft));
  const body = toBody(draft, phase, rule);
  const callOf = (changed: RuleBody): ApiCall<Ruleset> => {
    if (ruleset === undefined) {
      const kind = scope.level === "zone" ? "zone" : "root";
      return call("createRuleset", scope.owner, { name: "default", kind, phase, rules: [changed] });
    }
    return rule === undefined
      ? call(
          "createRule",
          { ...scope.owner, ruleset_id: ruleset.id },
          {
            ...changed,
            ...(isException && { position: { index: 1 } }),
          },
        )
      : call("editRule", { ...scope.owner, ruleset_id: ruleset.id, rule_id: rule.id }, changed);
  };
  const leave = ({ ignoreBlocker = false } = {}): void =>
    void navigate({ to: addressOf(scope, placeKey), ignoreBlocker });
  const {
    mutate,
    isPending,
    error: failure,
  } = useApiMutation(callOf, {
    onSuccess: () => {
      notifications.show({ message: "The rule was saved." });
      leave({ ignoreBlocker: true });
    },
  });
  const error = errorOfRule(failure);
  const mayLogFirst = rule === undefined && actingActions(phase).includes(draft.action);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        mutate(body);
      }}
    >
      <Stack gap="lg">
        <Card withBorder padding="lg" style={{ overflow: "visible" }}>
          <Stack gap="md">
            <TextInput
              label="Description"
              maxLength={500}
              value={draft.description}
              error={errorAt(error, "/description")}
              onChange={(event) => setDraft({ ...draft, description: event.currentTarget.value })}
            />
            <ExpressionInput
              value={draft.expression}
              onChange={(expression) => setDraft({ ...draft, expression })}
              use={{ phase, plan: scope.plan }}
              error={errorAt(error, "/expression")}
            />
          </Stack>
        </Card>
        <Card withBorder padding="lg" style={{ overflow: "visible" }}>
          <Stack gap="md">
            <NativeSelect
              label="Action"
              data={phaseDefinitions[phase].actions.map((action) => ({
                value: action,
                label: actionName(action),
              }))}
              value={draft.action}
              error={errorAt(error, "/action")}
              onChange={(event) => {
                const { value } = event.currentTarget;
                const action = phaseDefinitions[phase].actions.find((one) => one === value);
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
            <Switch
              label="Enabled"
              checked={draft.enabled}
              onChange={(event) => setDraft({ ...draft, enabled: event.currentTarget.checked })}
            />
          </Stack>
        </Card>
        <CurlCommand call={callOf(body)} />
        <ErrorAlert title="The rule was not saved" error={error} saidAt={saidAt(error)} />
        <Group justify="flex-end">
          <Button variant="default" onClick={() => leave()}>
            Cancel
          </Button>
          {mayLogFirst && (
            <Button
              variant="default"
              disabled={isPending || draft.expression.trim() === ""}
              onClick={() => mutate(onlyLogging(body))}
            >
              Save, and only log first
            </Button>
          )}
          <Button type="submit" loading={isPending}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** The pointers of an error that fields show. */
function saidAt(error: ReturnType<typeof errorOfRule>): string[] {
  const pointers = error?.details.flatMap(({ source }) => source?.pointer ?? []) ?? [];
  return pointers.filter(
    (pointer) =>
      fieldPointers.has(pointer) ||
      pointer.startsWith("/action_parameters/") ||
      pointer.startsWith("/ratelimit"),
  );
}
