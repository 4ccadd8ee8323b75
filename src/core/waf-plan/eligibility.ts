import { errorCodes } from "../error-codes.ts";
import { octetsOf } from "../expression/byte-string.ts";
import { managedRulesOf } from "../page-rules/page-rule.ts";
import { bypassesManagedRules, type PreviousWaf } from "../previous-waf/previous-waf.ts";
import { invalidRequest } from "../error.ts";
import type { Phase, Plan } from "../expression/phases.ts";
import { managedPhase } from "../rulesets/phases.ts";
import type { Rule } from "../rulesets/rule.ts";

/** An obstacle to the migration of a zone, and its remedy. */
export interface Obstacle {
  readonly code: number;
  readonly message: string;
}

/** Limits of what a migration carries over. */
const migrationLimits = { firewallRules: 200, expressionBytes: 4_096 } as const;

/**
 * The obstacles of a zone: in the second phase only URI-based overrides, before that every setting without a
 * counterpart (docs/contract/waf-migration.md#eligibility).
 */
export function obstacles(previous: PreviousWaf, phaseTwo: boolean): Obstacle[] {
  const found: Obstacle[] = [];
  const { overrideIds } = previous;
  if (overrideIds.length > 0) {
    found.push({
      code: errorCodes.wafMigration.overrides,
      message:
        `The zone has URI-based WAF overrides (${overrideIds.join(", ")}); ` +
        "delete each with DELETE /zones/{zone_id}/firewall/waf/overrides/{id}",
    });
  }
  if (phaseTwo) return found;
  if (previous.isOn && previous.owasp.sensitivity !== "off") {
    found.push({
      code: errorCodes.wafMigration.owaspEnabled,
      message:
        "The OWASP ModSecurity Core Rule Set is enabled; set its sensitivity to off, or ask with phase_two=1",
    });
  }
  const bypassing = previous.firewallRules.filter(bypassesManagedRules);
  if (bypassing.length > 0) {
    const ids = bypassing.map(({ id }) => id).join(", ");
    found.push({
      code: errorCodes.wafMigration.bypassingFirewallRules,
      message: `Firewall rules bypass WAF Managed Rules (${ids}); delete them, or ask with phase_two=1`,
    });
  }
  const affecting = previous.pageRules.filter((rule) => managedRulesOf(rule) !== undefined);
  if (affecting.length > 0) {
    const ids = affecting.map(({ id }) => id).join(", ");
    found.push({
      code: errorCodes.wafMigration.affectingPageRules,
      message: `Page Rules disable security or switch the WAF (${ids}); delete them, or ask with phase_two=1`,
    });
  }
  return found;
}

/** The limits on what a migration carries over that a zone exceeds. */
export function exceededLimits({ firewallRules }: PreviousWaf): Obstacle[] {
  const migrated = firewallRules.filter(
    (rule) => bypassesManagedRules(rule) && !rule.isPaused && rule.expression !== undefined,
  );
  const found: Obstacle[] = [];
  if (migrated.length > migrationLimits.firewallRules) {
    found.push({
      code: errorCodes.wafMigration.tooManyFirewallRules,
      message: `The zone has ${migrated.length} firewall rules to migrate; at most ${migrationLimits.firewallRules} can be`,
    });
  }
  for (const { id, expression = "" } of migrated) {
    const octets = octetsOf(expression);
    if (octets <= migrationLimits.expressionBytes) continue;
    found.push({
      code: errorCodes.wafMigration.expressionTooLong,
      message:
        `The expression of firewall rule ${id} has ${octets} bytes; ` +
        `at most ${migrationLimits.expressionBytes} can be migrated`,
    });
  }
  return found;
}

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
