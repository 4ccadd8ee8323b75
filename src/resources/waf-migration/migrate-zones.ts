import { AppError, type ErrorDetail } from "../../core/error.ts";
import type { ZoneRow } from "../../storage/tables.ts";
import type { Actor } from "../../operation/audit.ts";
import { getEntryPoint, managedPhase, replaceEntryPoint, type RulesetContext } from "../rulesets/rulesets.ts";
import { findZonesToMigrate, type ZonesToMigrate } from "../zones/zones.ts";
import { proposeConfiguration } from "./waf-migration.ts";

/** What became of a zone: `would-migrate` on a dry run; `refused` zones are as they were, and `reasons` say why. */
export interface MigrationOutcome {
  readonly zone: string;
  readonly outcome: "migrated" | "would-migrate" | "refused";
  readonly reasons: readonly ErrorDetail[];
}

interface MigrateOptions extends ZonesToMigrate {
  readonly dryRun: boolean;
}

/** Zones that migrate side by side: they share the commits of the store. */
const zonesAtOnce = 16;

/** How many zones there are to migrate, and what becomes of one after the other. */
interface Migration {
  readonly total: number;
  readonly outcomes: AsyncGenerator<MigrationOutcome, void, undefined>;
}

/**
 * Migrates the zones that have the previous WAF to what is proposed for each, by the rules of the second phase, as their
 * outcomes are asked for. Each is a change of its own, so whoever stops it may begin it again.
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
  const owner = { level: "zone", id: zone.id } as const;
  try {
    const rules = await rulesFor(context, zone);
    await replaceEntryPoint(
      context,
      actor,
      owner,
      managedPhase,
      { rules },
      {
        dryRun,
        migration: { to, phaseTwo: true },
      },
    );
    return { zone: zone.name, outcome: dryRun ? "would-migrate" : "migrated", reasons: [] };
  } catch (error) {
    if (!(error instanceof AppError) || error.kind === "unavailable") throw error;
    const { code, message, messages } = error;
    return { zone: zone.name, outcome: "refused", reasons: [{ code, message }, ...messages] };
  }
}

/** What was validated is what a zone gets that runs both versions. */
async function rulesFor(context: RulesetContext, zone: ZoneRow): Promise<unknown> {
  if (zone.waf === "validation") {
    const { text } = await getEntryPoint(context, { level: "zone", id: zone.id }, managedPhase);
    return JSON.parse(text).rules;
  }
  const { configuration } = await proposeConfiguration(context, zone.id, { phase_two: "1" });
  return configuration.rules;
}
