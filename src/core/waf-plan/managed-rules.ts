import { errorCodes } from "../error-codes.ts";
import { AppError } from "../error.ts";
import type { Plan } from "../expression/phases.ts";
import type { Rule } from "../rulesets/rule.ts";
import type { PreviousWaf } from "./previous-waf.ts";

/** What the proposed rules of a zone's managed phase are checked for. */
type ProposedManagedRules = readonly Pick<Rule, "action" | "enabled">[];

/** Which version of the managed rules a zone has, and its plan. */
interface ZoneVersion {
  readonly waf: "previous" | "validation" | "new";
  readonly plan: Plan;
}

/**
 * Refuses enabled rules beside the previous version: only Enterprise runs both, on other plans the new one has to wait for
 * the migration. Errors: 400 code 40012.
 */
export function refuseRulesBesidePreviousWaf({ waf, plan }: ZoneVersion, rules: ProposedManagedRules): void {
  if (waf !== "previous" || plan === "enterprise" || !rules.some(({ enabled }) => enabled)) return;
  throw new AppError(
    "invalid",
    errorCodes.wafMigration.enabledBesidePreviousWaf,
    "The zone still has the previous WAF managed rules: until it migrates, every rule must have `enabled: false`",
    { pointer: "/rules" },
  );
}

/**
 * Refuses rules to migrate to that execute nothing: the zone would stand unprotected, unless it does so already.
 * `areSent` is whether the request has rules at all. Errors: 400 code 40013 or 40014.
 */
export function refuseUnprotected(
  { isOn }: Pick<PreviousWaf, "isOn">,
  rules: ProposedManagedRules,
  areSent: boolean,
): void {
  const { unprotected, configurationMissing } = errorCodes.wafMigration;
  const protects = rules.some(({ action, enabled }) => enabled && action === "execute");
  if (areSent && (protects || !isOn)) return;
  throw new AppError(
    "invalid",
    areSent ? unprotected : configurationMissing,
    areSent
      ? "No enabled rule executes a managed ruleset: the zone would be left unprotected"
      : "The configuration to migrate to is missing from the body",
    { pointer: "/rules" },
  );
}
