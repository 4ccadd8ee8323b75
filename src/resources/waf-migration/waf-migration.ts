import { AppError, type ErrorDetail } from "../../core/error.ts";
import { exceededLimits, obstacles, type Obstacle } from "../../core/waf-plan/eligibility.ts";
import type { Consequence } from "../../core/waf-plan/consequence.ts";
import { planMigration, type ProposedRuleset } from "../../core/waf-plan/plan.ts";
import type { PreviousWaf } from "../../core/waf-plan/previous-waf.ts";
import type { Db, ZoneRow } from "../../storage/tables.ts";
import type { Context } from "../../operation/context.ts";
import { listBypassRules } from "../firewall-rules/firewall-rules.ts";
import { listPageRulesOfZone } from "../page-rules/page-rules.ts";
import { readPackageState } from "../previous-waf/previous-waf.ts";
import type { ManagedRulesJudge } from "../rulesets/rulesets.ts";
import { isSettingOn } from "../zone-settings/zone-settings.ts";
import { findZone } from "../../operation/scope.ts";
import { findZoneCalled, setWafVersion } from "../zones/zones.ts";
import type { MigrationCheck, MigrationQuery, MigrationStatus } from "./schema.ts";

/**
 * `GET waf_migration/check`: whether the zone can update, and in which state it is; the messages say why it cannot.
 * Errors: 404 code 1001.
 */
export async function checkMigration(
  { db }: Pick<Context, "db">,
  zoneId: string,
  query: MigrationQuery,
): Promise<{ readonly check: MigrationCheck; readonly messages: readonly ErrorDetail[] }> {
  const zone = await findZone(db.read, zoneId);
  const migration_state = stateOf(zone);
  if (zone.waf === "new") return { check: { compatible: false, migration_state }, messages: [] };
  const inTheWay = obstacles(await readPreviousWaf(db.read, zone), isPhaseTwo(query));
  return { check: { compatible: inTheWay.length === 0, migration_state }, messages: inTheWay };
}

/**
 * `GET waf_migration/config`: the configuration that does what the previous version does. The messages say of each old
 * setting what it becomes, or that it is lost.
 * Errors: 400 for a zone that has migrated (code 40010) or that cannot (codes of `obstacles` and `exceededLimits`), 404
 * code 1001.
 */
export async function proposeConfiguration(
  { db }: Pick<Context, "db">,
  zoneId: string,
  query: MigrationQuery,
): Promise<{ readonly configuration: ProposedRuleset; readonly messages: readonly ErrorDetail[] }> {
  const zone = await findZone(db.read, zoneId);
  if (zone.waf === "new") throw alreadyComplete();
  const previous = await readPreviousWaf(db.read, zone);
  refuseObstacles([...obstacles(previous, isPhaseTwo(query)), ...exceededLimits(previous)]);
  const { ruleset, consequences } = planMigration(previous);
  return { configuration: ruleset, messages: consequences.map(toMessage) };
}

/** What a migration would do, by the rules of the second phase. */
export interface ZoneMigrationPlan {
  readonly zone: { readonly id: string; readonly name: string; readonly plan: string };
  readonly migration_state: MigrationStatus["migration_state"];
  readonly eligible: boolean;
  readonly obstacles: readonly Obstacle[];
  /** Null for what is lost. */
  readonly consequences: readonly { readonly setting: string; readonly becomes: string | null }[];
  readonly ruleset: ProposedRuleset;
}

/** For the operator: a zone by its name or id. Errors: 404 code 1001. */
export async function planZoneMigration(
  { db }: Pick<Context, "db">,
  nameOrId: string,
): Promise<ZoneMigrationPlan> {
  const zone = await findZoneCalled(db.read, nameOrId);
  const previous = await readPreviousWaf(db.read, zone);
  const { ruleset, consequences } = planMigration(previous);
  const found =
    zone.waf === "new"
      ? [{ code: 40010, message: alreadyComplete().message }]
      : [...obstacles(previous, true), ...exceededLimits(previous)];
  return {
    zone: { id: zone.id, name: zone.name, plan: zone.plan },
    migration_state: stateOf(zone),
    eligible: found.length === 0,
    obstacles: found,
    consequences: consequences.map(({ setting, becomes }) => ({ setting, becomes: becomes ?? null })),
    ruleset,
  };
}

/** `GET waf_migration/status`. Errors: 404 code 1001. */
export async function getMigrationStatus(
  { db }: Pick<Context, "db">,
  zoneId: string,
): Promise<MigrationStatus> {
  const zone = await findZone(db.read, zoneId);
  return {
    created: zone.waf_changed_on ?? zone.created_on,
    migration_state: stateOf(zone),
    new_waf_status: zone.waf === "previous" ? "disabled" : "enabled",
    old_waf_status: zone.waf === "new" ? "disabled" : "enabled",
    source: "zone",
  };
}

/**
 * Judges the rules of a zone's managed phase before they are stored, and brings the zone to the version that is asked
 * for, in the same transaction: at no instant has it neither. What made it eligible is judged again here.
 * Errors: 400 with codes 40010 to 40014 and those of `obstacles` and `exceededLimits`
 * (docs/contract/waf-migration.md#refusals).
 */
export function managedRulesJudge({ now }: Pick<Context, "now">): ManagedRulesJudge {
  return async (tx, zone, { rules, migration, dryRun }) => {
    if (migration === undefined) {
      refuseRulesBesidePreviousWaf(zone, rules);
      return [];
    }
    if (zone.waf === "new") throw alreadyComplete();
    if (migration.to === "validation" && zone.plan !== "enterprise") {
      throw new AppError(
        "invalid",
        40011,
        "Only Enterprise zones can validate the new WAF beside the previous one",
      );
    }
    const previous = await readPreviousWaf(tx, zone);
    refuseObstacles([...obstacles(previous, migration.phaseTwo), ...exceededLimits(previous)]);
    if (migration.to === "new") refuseUnprotected(previous, rules, migration.saysRules);
    if (dryRun || migration.to === zone.waf) return [];
    const changed = await setWafVersion(tx, zone, migration.to, now());
    return [
      {
        action: "waf_migrate",
        owner: { zone },
        resource: { type: "zone", id: zone.id },
        before: { migration_state: stateOf(zone) },
        after: { migration_state: stateOf(changed) },
      },
    ];
  };
}

type JudgedRules = Parameters<ManagedRulesJudge>[2]["rules"];

/** Only Enterprise runs both versions; on other plans the new one has to wait for the migration. */
function refuseRulesBesidePreviousWaf({ waf, plan }: ZoneRow, rules: JudgedRules): void {
  if (waf !== "previous" || plan === "enterprise" || !rules.some(({ enabled }) => enabled)) return;
  throw new AppError(
    "invalid",
    40012,
    "The zone still has the previous WAF managed rules: until it migrates, every rule must have `enabled: false`",
    { pointer: "/rules" },
  );
}

/** Without a rule that executes anything the zone would stand unprotected, unless its owner wants it so. */
function refuseUnprotected({ isOn }: PreviousWaf, rules: JudgedRules, saysRules: boolean): void {
  const protects = rules.some(({ action, enabled }) => enabled && action === "execute");
  if (saysRules && (protects || !isOn)) return;
  throw new AppError(
    "invalid",
    saysRules ? 40013 : 40014,
    saysRules
      ? "No enabled rule executes a managed ruleset: the zone would be left unprotected"
      : "The configuration to migrate to is missing from the body",
    { pointer: "/rules" },
  );
}

/** All settings of the previous version in a zone. */
export async function readPreviousWaf(db: Db, zone: ZoneRow): Promise<PreviousWaf> {
  return {
    isOn: await isSettingOn(db, zone, "waf"),
    ...(await readPackageState(db, zone)),
    firewallRules: await listBypassRules(db, zone.id),
    pageRules: await listPageRulesOfZone(db, zone),
  };
}

function isPhaseTwo({ phase_two }: MigrationQuery): boolean {
  return phase_two === "1";
}

/** Errors: 400 with the code of the first obstacle, the others in `messages`. */
function refuseObstacles(found: readonly Obstacle[]): void {
  const [first, ...others] = found;
  if (first === undefined) return;
  throw new AppError("invalid", first.code, first.message, { messages: others });
}

function alreadyComplete(): AppError {
  return new AppError(
    "invalid",
    40010,
    "The zone has already migrated to the new WAF; a migration cannot be undone",
  );
}

const states = { previous: "start", validation: "validation", new: "complete" } as const;

/** The state of a zone as the API names it. */
export function stateOf({ waf }: ZoneRow): MigrationStatus["migration_state"] {
  return states[waf];
}

const consequenceCodes = { carriedOver: 40100, lost: 40101 } as const;

function toMessage({ setting, becomes }: Consequence): ErrorDetail {
  return becomes === undefined
    ? { code: consequenceCodes.lost, message: `${setting}: is lost` }
    : { code: consequenceCodes.carriedOver, message: `${setting}: becomes ${becomes}` };
}
