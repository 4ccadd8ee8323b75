import { Select } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";

import { planOrder } from "../../../../src/core/expression/phases.ts";
import type { Rule } from "../../../../src/core/rulesets/rule.ts";
import type { Ruleset, RulesetHead } from "../../../../src/core/rulesets/ruleset.ts";
import type { Zone } from "../../../../src/resources/zones/schema.ts";
import { managedPhase } from "../../rule-phases.ts";
import { RuleForm } from "../rules/rule-form.tsx";
import { ExceptionFields } from "./exception-fields.tsx";
import { OverridesEditor } from "./overrides-editor.tsx";
import { toBody, type RuleDraft } from "./rule-draft.ts";

interface ManagedRuleEditorProps {
  readonly zone: Zone;
  /** Undefined where the zone has no rules yet. */
  readonly ruleset: Ruleset | undefined;
  readonly rulesets: readonly RulesetHead[];
  /** Undefined for a new one. */
  readonly rule: Rule | undefined;
  readonly initial: RuleDraft;
}

/** A rule of the new version, and what of managed rulesets is executed or skipped for its requests. */
export function ManagedRuleEditor({ zone, ruleset, rulesets, rule, initial }: ManagedRuleEditorProps) {
  const navigate = useNavigate();
  const [draft, setDraft] = useState(initial);
  const { effect } = draft;
  return (
    <RuleForm
      owner={{ zone_id: zone.id }}
      use={{ phase: managedPhase, plan: planOrder.find((plan) => plan === zone.plan.legacy_id) }}
      ruleset={ruleset}
      rule={rule}
      initial={initial}
      draft={draft}
      onChange={setDraft}
      body={toBody(draft, rule)}
      isException={effect?.action === "skip"}
      onLeave={(options) =>
        void navigate({
          to: "/zones/$zoneId/security/waf/managed-rules",
          params: { zoneId: zone.id },
          search: { view: "new" },
          ...options,
        })
      }
      renderFields={() => (
        <>
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
        </>
      )}
      below={
        effect?.action === "execute" &&
        effect.rulesetId !== "" && (
          <OverridesEditor
            key={effect.rulesetId}
            zoneId={zone.id}
            rulesetId={effect.rulesetId}
            value={effect.overrides}
            onChange={(overrides) => setDraft({ ...draft, effect: { ...effect, overrides } })}
          />
        )
      }
    />
  );
}
