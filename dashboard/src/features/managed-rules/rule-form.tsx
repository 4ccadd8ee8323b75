import { Card, Select, Stack, Switch, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";

import { planOrder } from "../../../../src/core/expression/phases.ts";
import type { Rule } from "../../../../src/core/rulesets/rule.ts";
import type { Ruleset, RulesetHead } from "../../../../src/core/rulesets/ruleset.ts";
import type { Zone } from "../../../../src/resources/zones/schema.ts";
import { type ApiCall, call } from "../../api/call.ts";
import { useApiMutation } from "../../api/query.ts";
import { CurlCommand } from "../../components/curl-command.tsx";
import { differs, useDraft } from "../../components/drafts.tsx";
import { ErrorAlert } from "../../components/error-alert.tsx";
import { ExpressionInput } from "../../components/expression-input.tsx";
import { FormButtons } from "../../components/form-buttons.tsx";
import { managedPhase } from "../../rule-phases.ts";
import { ExceptionFields } from "./exception-fields.tsx";
import { OverridesEditor } from "./overrides-editor.tsx";
import { toBody, type RuleDraft } from "./rule-draft.ts";

interface RuleFormProps {
  readonly zone: Zone;
  /** Undefined where the zone has no rules yet. */
  readonly ruleset: Ruleset | undefined;
  /** The managed rulesets that can be executed. */
  readonly rulesets: readonly RulesetHead[];
  /** Undefined for a new one. */
  readonly rule?: Rule | undefined;
  readonly initial: RuleDraft;
}

/** A rule of the new version: which requests, and what is executed or skipped for them. */
export function RuleForm({ zone, ruleset, rulesets, rule, initial }: RuleFormProps) {
  const navigate = useNavigate();
  const [draft, setDraft] = useState(initial);
  useDraft(differs(initial, draft));
  const { effect } = draft;
  const request = callOf(zone.id, ruleset, draft, rule);
  const leave = ({ ignoreBlocker = false } = {}): void =>
    void navigate({
      to: "/zones/$zoneId/security/waf/managed-rules",
      params: { zoneId: zone.id },
      search: { view: "new" },
      ignoreBlocker,
    });
  const { mutate, isPending, error } = useApiMutation(() => request, {
    onSuccess: () => {
      notifications.show({ message: "The rule was saved." });
      leave({ ignoreBlocker: true });
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        mutate(undefined);
      }}
    >
      <Stack gap="lg">
        <Card withBorder padding="lg" style={{ overflow: "visible" }}>
          <Stack gap="md">
            <TextInput
              label="Description"
              maxLength={500}
              value={draft.description}
              onChange={(event) => setDraft({ ...draft, description: event.currentTarget.value })}
            />
            <ExpressionInput
              value={draft.expression}
              onChange={(expression) => setDraft({ ...draft, expression })}
              use={{ phase: managedPhase, plan: planOrder.find((plan) => plan === zone.plan.legacy_id) }}
            />
            {effect?.action === "skip" && (
              <ExceptionFields
                zoneId={zone.id}
                rulesets={rulesets}
                value={effect}
                onChange={(changed) => setDraft({ ...draft, effect: changed })}
              />
            )}
            {effect?.action === "execute" && (
              <Select
                label="Managed ruleset"
                required
                withAsterisk={false}
                allowDeselect={false}
                data={rulesets.map(({ id, name }) => ({ value: id, label: name }))}
                value={effect.rulesetId}
                onChange={(id) =>
                  setDraft({ ...draft, effect: { ...effect, rulesetId: id ?? "", overrides: {} } })
                }
                maw={420}
              />
            )}
            <Switch
              label="Enabled"
              checked={draft.enabled}
              onChange={(event) => setDraft({ ...draft, enabled: event.currentTarget.checked })}
            />
          </Stack>
        </Card>
        {effect?.action === "execute" && effect.rulesetId !== "" && (
          <OverridesEditor
            key={effect.rulesetId}
            zoneId={zone.id}
            rulesetId={effect.rulesetId}
            value={effect.overrides}
            onChange={(overrides) => setDraft({ ...draft, effect: { ...effect, overrides } })}
          />
        )}
        <CurlCommand call={request} />
        <ErrorAlert title="The rule was not saved" error={error} />
        <FormButtons action="Save" pending={isPending} onCancel={() => leave()} />
      </Stack>
    </form>
  );
}

/** An exception stands ahead of what it skips, so that a new one comes first; what is executed comes last. */
function callOf(
  zoneId: string,
  ruleset: Ruleset | undefined,
  draft: RuleDraft,
  rule: Rule | undefined,
): ApiCall<Ruleset> {
  const body = toBody(draft, rule);
  if (ruleset === undefined)
    return call("replaceEntryPoint", { zone_id: zoneId, ruleset_phase: managedPhase }, { rules: [body] });
  if (rule !== undefined)
    return call("editRule", { zone_id: zoneId, ruleset_id: ruleset.id, rule_id: rule.id }, body);
  return call(
    "createRule",
    { zone_id: zoneId, ruleset_id: ruleset.id },
    {
      ...body,
      ...(body.action === "skip" && { position: { index: 1 } }),
    },
  );
}
