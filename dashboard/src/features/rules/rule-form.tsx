import { Button, Card, Group, Stack, Switch, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { ReactNode } from "react";

import type { Rule } from "../../../../src/core/rulesets/rule.ts";
import type { Ruleset } from "../../../../src/core/rulesets/ruleset.ts";
import { ApiError } from "../../api/api-error.ts";
import { type ApiCall, call } from "../../api/call.ts";
import { useApiMutation } from "../../api/query.ts";
import { CurlCommand } from "../../components/curl-command.tsx";
import { differs, useDraft } from "../../components/drafts.tsx";
import { ErrorAlert } from "../../components/error-alert.tsx";
import { ExpressionInput } from "../../components/expression-input.tsx";
import type { ExpressionUse } from "../../expression/checker.ts";
import type { RuleBody, RulesetOwner } from "../../rule-phases.ts";
import { errorAt } from "./parameters/surroundings.ts";
import { Form } from "../../components/form.tsx";

interface EditedRule {
  readonly description: string;
  readonly enabled: boolean;
  readonly expression: string;
}

interface RuleFormProps<Draft extends EditedRule> {
  readonly owner: RulesetOwner;
  readonly use: ExpressionUse;
  /** Undefined where the phase has no rules yet. */
  readonly ruleset: Ruleset | undefined;
  /** Undefined for a new one. */
  readonly rule: Rule | undefined;
  readonly initial: Draft;
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
  readonly body: RuleBody;
  /** The same rule while it only logs, where it can be saved so first. */
  readonly loggingBody?: RuleBody | undefined;
  /** Whether a new rule lets requests past the others, so that it comes first. */
  readonly isException: boolean;
  readonly renderFields: (error: ApiError | null) => ReactNode;
  /** Whether those fields show what is said of this pointer. */
  readonly isShown?: (pointer: string) => boolean;
  /** Below the fields, beside their card. */
  readonly below?: ReactNode;
  readonly onLeave: (options?: { readonly ignoreBlocker: true }) => void;
}

/** The form of a rule of any phase: which requests, and what is done with them. */
export function RuleForm<Draft extends EditedRule>({
  owner,
  use,
  ruleset,
  rule,
  initial,
  draft,
  onChange,
  body,
  loggingBody,
  isException,
  renderFields,
  isShown,
  below,
  onLeave,
}: RuleFormProps<Draft>) {
  useDraft(differs(initial, draft));
  const callOf = (changed: RuleBody): ApiCall<Ruleset> => {
    if (ruleset === undefined) {
      const kind = "zone_id" in owner ? "zone" : "root";
      return call("createRuleset", owner, { name: "default", kind, phase: use.phase, rules: [changed] });
    }
    const params = { ...owner, ruleset_id: ruleset.id };
    return rule === undefined
      ? call("createRule", params, { ...changed, ...(isException && { position: { index: 1 } }) })
      : call("editRule", { ...params, rule_id: rule.id }, changed);
  };
  const {
    mutate,
    isPending,
    error: failure,
  } = useApiMutation(callOf, {
    onSuccess: () => {
      notifications.show({ message: "The rule was saved." });
      onLeave({ ignoreBlocker: true });
    },
  });
  const error = errorOfRule(failure);
  const pointers = error?.details.flatMap(({ source }) => source?.pointer ?? []) ?? [];
  const isSaid = (pointer: string): boolean =>
    pointer === "/description" || pointer === "/expression" || isShown?.(pointer) === true;
  return (
    <Form gap="lg" onSend={() => mutate(body)}>
      <Card withBorder padding="lg" style={{ overflow: "visible" }}>
        <Stack gap="md">
          <TextInput
            label="Description"
            maxLength={500}
            value={draft.description}
            error={errorAt(error, "/description")}
            onChange={(event) => onChange({ ...draft, description: event.currentTarget.value })}
          />
          <ExpressionInput
            value={draft.expression}
            onChange={(expression) => onChange({ ...draft, expression })}
            use={use}
            error={errorAt(error, "/expression")}
          />
        </Stack>
      </Card>
      <Card withBorder padding="lg" style={{ overflow: "visible" }}>
        <Stack gap="md">
          {renderFields(error)}
          <Switch
            label="Enabled"
            checked={draft.enabled}
            onChange={(event) => onChange({ ...draft, enabled: event.currentTarget.checked })}
          />
        </Stack>
      </Card>
      {below}
      <CurlCommand call={callOf(body)} />
      <ErrorAlert title="The rule was not saved" error={error} saidAt={pointers.filter(isSaid)} />
      <Group justify="flex-end">
        <Button variant="default" onClick={() => onLeave()}>
          Cancel
        </Button>
        {loggingBody !== undefined && (
          <Button
            variant="default"
            disabled={isPending || draft.expression.trim() === ""}
            onClick={() => mutate(loggingBody)}
          >
            Save, and only log first
          </Button>
        )}
        <Button type="submit" loading={isPending}>
          Save
        </Button>
      </Group>
    </Form>
  );
}

/** The error of a rule with pointers into the rule itself, also where it was sent within a ruleset. */
function errorOfRule(error: ApiError | null): ApiError | null {
  return (
    error &&
    new ApiError(
      error.status,
      error.details.map(({ source, ...detail }) => ({
        ...detail,
        ...(source?.pointer !== undefined && {
          source: { pointer: source.pointer.replace(/^\/rules\/0(?=\/)/, "") },
        }),
      })),
    )
  );
}
