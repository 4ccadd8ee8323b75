import { managedPhase } from "../../core/rulesets/phases.ts";
import { AppError, type ErrorDetail } from "../../core/error.ts";
import type { Actor } from "../../operation/audit.ts";
import { zoneUnitOfWork } from "../../operation/scope.ts";
import type { ZoneRow } from "../../storage/schema/zones.ts";
import { findEntryPointRules, ofZone, type RulesetContext } from "../rulesets/rulesets.ts";
import { findZonesToMigrate, shownName, type ZonesToMigrate } from "../zones/zones.ts";
import { replaceEntryPointAndMigrate } from "./replace-entry-point.ts";
import { planEligibleZone } from "./waf-migration.ts";
import { prepareChecks } from "../../operation/expression-checks.ts";

/**
 * The result for a zone, by its Unicode name: `would-migrate` on a dry run; a `refused` zone is unchanged,
 * with the `reasons`.
 */
export interface MigrationOutcome {
  readonly zone: string;
  readonly outcome: "migrated" | "would-migrate" | "refused";
  readonly reasons: readonly ErrorDetail[];
}

interface MigrateOptions extends ZonesToMigrate {
  readonly dryRun: boolean;
}

/** Zones that migrate concurrently: they share commits. */
const zonesAtOnce = 16;

/** The number of zones to migrate, and their outcomes one by one. */
interface Migration {
  readonly total: number;
  readonly outcomes: AsyncGenerator<MigrationOutcome, void, undefined>;
}

/**
 * Migrates the zones with the previous WAF to the configuration proposed for each, by the rules of the second
 * phase, as the outcomes are consumed. Each zone is its own transaction, so the command can be interrupted
 * and repeated.
 */
export async function migrateZones(
  context: RulesetContext,
  actor: Actor,
  options: MigrateOptions,
): Promise<Migration> {
  const { total, portions } = await findZonesToMigrate(context.db.read, options, zonesAtOnce);
  const outcomes = (async function* () {
    for await (const zones of portions) {
      yield* await Promise.all(zones.map((zone) => migrateZone(context, actor, zone, options)));
    }
  })();
  return { total, outcomes };
}

async function migrateZone(
  context: RulesetContext,
  actor: Actor,
  zone: ZoneRow,
  { to, dryRun }: MigrateOptions,
): Promise<MigrationOutcome> {
  try {
    const body = { rules: await rulesFor(context, zone) };
    const engine = await prepareChecks()({ context }, { body });
    await zoneUnitOfWork(context, actor, zone.id, (work) => {
      const change = { ...work, owner: ofZone(work.zone), engine, dryRun };
      return replaceEntryPointAndMigrate(change, managedPhase, body, { to, phaseTwo: true });
    });
    return { zone: shownName(zone), outcome: dryRun ? "would-migrate" : "migrated", reasons: [] };
  } catch (error) {
    if (!(error instanceof AppError) || error.kind === "unavailable") throw error;
    const { code, message, messages } = error;
    return { zone: shownName(zone), outcome: "refused", reasons: [{ code, message }, ...messages] };
  }
}

/** A zone in validation keeps the rules that were validated. */
async function rulesFor({ db }: RulesetContext, zone: ZoneRow): Promise<readonly unknown[]> {
  if (zone.waf === "validation") return findEntryPointRules(db.read, zone, managedPhase);
  return (await planEligibleZone(db.read, zone, { phaseTwo: true })).ruleset.rules;
}
