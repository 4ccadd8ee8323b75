import { errorCodes } from "../../core/error-codes.ts";
import { AppError, invalidRequest } from "../../core/error.ts";
import { parsePageRules } from "../../core/page-rules/page-rule.ts";
import { previousWafOf, type PreviousWaf } from "../../core/previous-waf/previous-waf.ts";
import { exceededLimits, obstacles, type Obstacle } from "../../core/waf-plan/eligibility.ts";
import { planMigration, type MigrationPlan, type ProposedRuleset } from "../../core/waf-plan/plan.ts";
import { settingValues } from "../../core/zone-settings/catalogue.ts";
import type { Context } from "../../operation/context.ts";
import type { Db } from "../../storage/tables.ts";
import type { ZoneRow } from "../../storage/schema/zones.ts";
import { readFirewallRules } from "../firewall-rules/firewall-rules.ts";
import { readPageRules } from "../page-rules/page-rules.ts";
import { readPreviousWafChoices } from "../previous-waf/previous-waf.ts";
import { readChangedSettings } from "../zone-settings/zone-settings.ts";
import { findZoneCalled, shownName } from "../zones/zones.ts";
import type { MigrationStatus } from "./schema.ts";

/**
 * The configuration that replaces a zone's previous version, and what each old setting becomes.
 * Errors: 400 code 40010 for a migrated zone, and the codes of `obstacles` and `exceededLimits`.
 */
export async function planEligibleZone(
  db: Db,
  zone: ZoneRow,
  { phaseTwo }: { readonly phaseTwo: boolean },
): Promise<MigrationPlan> {
  if (zone.waf === "new") throw alreadyComplete();
  const previous = await readPreviousWaf(db, zone);
  refuseObstacles([...obstacles(previous, phaseTwo), ...exceededLimits(previous)]);
  return planMigration(previous);
}

/** The effect of a migration by the rules of the second phase. */
export interface ZoneMigrationPlan {
  readonly zone: { readonly id: string; readonly name: string; readonly plan: string };
  readonly migration_state: MigrationStatus["migration_state"];
  readonly eligible: boolean;
  readonly obstacles: readonly Obstacle[];
  /** `becomes` is null for lost settings. */
  readonly consequences: readonly { readonly setting: string; readonly becomes: string | null }[];
  readonly ruleset: ProposedRuleset;
}

/** For the command line: a zone by name or id. Errors: 404 code 1001. */
export async function planZoneMigration(
  { db }: Pick<Context, "db">,
  nameOrId: string,
): Promise<ZoneMigrationPlan> {
  const zone = await findZoneCalled(db.read, nameOrId);
  const previous = await readPreviousWaf(db.read, zone);
  const { ruleset, consequences } = planMigration(previous);
  const found =
    zone.waf === "new"
      ? [{ code: errorCodes.wafMigration.complete, message: alreadyComplete().message }]
      : [...obstacles(previous, true), ...exceededLimits(previous)];
  return {
    zone: { id: zone.id, name: shownName(zone), plan: zone.plan },
    migration_state: stateOf(zone),
    eligible: found.length === 0,
    obstacles: found,
    consequences: consequences.map(({ setting, becomes }) => ({ setting, becomes: becomes ?? null })),
    ruleset,
  };
}

/** The settings of the previous version in a zone. */
export async function readPreviousWaf(db: Db, { id, plan }: ZoneRow): Promise<PreviousWaf> {
  const choices = (await readPreviousWafChoices(db, [id]))(id);
  const setting = settingValues((await readChangedSettings(db, [id]))(id), plan);
  const firewallRules = (await readFirewallRules(db, [id]))(id);
  const pageRules = parsePageRules((await readPageRules(db, [id]))(id));
  return previousWafOf(choices, setting("waf") === "on", firewallRules, pageRules);
}

/** Errors: 400 with the code of the first obstacle; the others are in `messages`. */
export function refuseObstacles(found: readonly Obstacle[]): void {
  const [first, ...others] = found;
  if (first === undefined) return;
  throw new AppError("invalid", first.code, first.message, { messages: others });
}

/** 400 code 40010. */
export function alreadyComplete(): AppError {
  return invalidRequest(
    errorCodes.wafMigration.complete,
    "The zone has already migrated to the new WAF; a migration cannot be undone",
  );
}

const states = { previous: "start", validation: "validation", new: "complete" } as const;

export function stateOf({ waf }: ZoneRow): MigrationStatus["migration_state"] {
  return states[waf];
}
