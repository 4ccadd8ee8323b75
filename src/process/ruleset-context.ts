import type { CoreRules } from "../core/judging/core-rules.ts";
import { ManagedRulesets } from "../core/judging/managed-rulesets.ts";
import { refuseRulesBesidePreviousWaf } from "../core/waf-plan/eligibility.ts";
import type { Context } from "../operation/context.ts";
import type { RulesetContext } from "../resources/rulesets/rulesets.ts";

/** The context of operations on rulesets. The expression engine is loaded when it is first needed. */
export function createRulesetContext<C extends Context>(
  context: C,
  vendor: string,
  coreRules?: () => CoreRules | undefined,
): C & RulesetContext {
  let loading: ReturnType<RulesetContext["loadExpressionEngine"]> | undefined;
  return {
    ...context,
    vendor,
    refuseZoneRules: refuseRulesBesidePreviousWaf,
    managed: new ManagedRulesets(vendor, coreRules),
    loadExpressionEngine: () => (loading ??= loadExpressionEngine()),
  };
}

async function loadExpressionEngine(): ReturnType<RulesetContext["loadExpressionEngine"]> {
  const { createEngines, createExpressionEngine } = await import("../engines/engines.ts");
  return createExpressionEngine(createEngines());
}
