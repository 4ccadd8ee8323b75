import { errorCodes } from "../../core/error-codes.ts";
import { invalidRequest } from "../../core/error.ts";
import type { Rule } from "../../core/rulesets/rule.ts";
import { exceededLimits, obstacles, refuseUnprotected } from "../../core/waf-plan/eligibility.ts";
import type { ZoneChangeWork } from "../../operation/scope.ts";
import { setWafVersion } from "../zones/zones.ts";
import { alreadyComplete, readPreviousWaf, refuseObstacles, stateOf } from "./waf-migration.ts";

/** The parameters `waf_migration` and `phase_two`. */
export interface MigrationRequest {
  readonly to: "new" | "validation";
  readonly phaseTwo: boolean;
}

/** The rules of the managed phase after the migration. */
interface RulesToMigrateTo {
  readonly rules: readonly Rule[];
  /** Whether the request contains the rules, instead of keeping stored ones. */
  readonly areSent: boolean;
}

/**
 * Migrates a zone to the new version of the managed rules, or to both for validation, in the transaction that
 * stores the new rules: at no time does the zone have neither. Eligibility is checked here, whatever
 * `waf_migration/check` answered. A dry run only checks.
 * Errors: 400 with codes 40010, 40011, 40013, 40014 and those of `obstacles` and `exceededLimits`
 * (docs/contract/waf-migration.md#refusals).
 */
export async function completeWafMigration(
  { tx, zone, now, audit }: Omit<ZoneChangeWork, "context" | "afterCommit" | "publication">,
  { to, phaseTwo }: MigrationRequest,
  { rules, areSent }: RulesToMigrateTo,
  { dryRun }: { readonly dryRun: boolean },
): Promise<void> {
  if (zone.waf === "new") throw alreadyComplete();
  if (to === "validation" && zone.plan !== "enterprise") {
    throw invalidRequest(
      errorCodes.wafMigration.validationEnterpriseOnly,
      "Only Enterprise zones can validate the new WAF beside the previous one",
    );
  }
  const previous = await readPreviousWaf(tx, zone);
  refuseObstacles([...obstacles(previous, phaseTwo), ...exceededLimits(previous)]);
  if (to === "new") refuseUnprotected(previous, rules, areSent);
  if (dryRun || to === zone.waf) return;
  const changed = await setWafVersion(tx, zone, to, now);
  audit({
    action: "waf_migrate",
    id: zone.id,
    before: { migration_state: stateOf(zone) },
    after: { migration_state: stateOf(changed) },
  });
}
