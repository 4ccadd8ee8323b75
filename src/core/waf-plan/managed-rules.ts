import { errorCodes } from "../error-codes.ts";
import { invalidRequest } from "../error.ts";
import type { Phase, Plan } from "../expression/phases.ts";
import { managedPhase } from "../rulesets/phases.ts";
import type { Rule } from "../rulesets/rule.ts";
import type { PreviousWaf } from "../previous-waf/previous-waf.ts";

type ProposedManagedRules = readonly Pick<Rule, "action" | "enabled">[];

interface ZoneVersion {
  readonly waf: "previous" | "validation" | "new";
  readonly plan: Plan;
}

/**
 * Refuses enabled rules of the managed phase beside the previous version, which only Enterprise allows
 * before the migration. Errors: 400 code 40012.
 */
export function refuseRulesBesidePreviousWaf(
  { waf, plan }: ZoneVersion,
  phase: Phase,
  rules: ProposedManagedRules,
): void {
  if (phase !== managedPhase || waf !== "previous" || plan === "enterprise") return;
  if (!rules.some(({ enabled }) => enabled)) return;
  throw invalidRequest(
    errorCodes.wafMigration.enabledBesidePreviousWaf,
    "The zone still has the previous WAF managed rules: until it migrates, every rule must have `enabled: false`",
    "/rules",
  );
}

/**
 * Refuses a migration to rules that execute nothing, which would leave the zone unprotected unless it already
 * is. `areSent` is whether the request has rules. Errors: 400 code 40013 or 40014.
 */
export function refuseUnprotected(
  { isOn }: Pick<PreviousWaf, "isOn">,
  rules: ProposedManagedRules,
  areSent: boolean,
): void {
  const { unprotected, configurationMissing } = errorCodes.wafMigration;
  const protects = rules.some(({ action, enabled }) => enabled && action === "execute");
  if (areSent && (protects || !isOn)) return;
  throw invalidRequest(
    areSent ? unprotected : configurationMissing,
    areSent
      ? "No enabled rule executes a managed ruleset: the zone would be left unprotected"
      : "The configuration to migrate to is missing from the body",
    "/rules",
  );
}
