import { AppError, type ErrorDetail } from "../../core/error.ts";
import type { ZoneRow } from "../../storage/tables.ts";
import type { Actor } from "../../operation/audit.ts";
import { getEntryPoint, managedPhase, replaceEntryPoint, type RulesetContext } from "../rulesets/rulesets.ts";
import { listZonesToMigrate, type ZonesToMigrate } from "../zones/zones.ts";
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

/**
 * Migrates the zones that have the previous WAF to what is proposed for each, by the rules of the second phase, and
 * tells the outcome of one after the other. Each is a change of its own, so whoever stops it may begin it again.
 */
export async function* migrateZones(
  context: RulesetContext,
  actor: Actor,
  options: MigrateOptions,
): AsyncGenerator<MigrationOutcome> {
  for (let after = ""; ;) {
    const zones = await listZonesToMigrate(context.db.read, options, after, zonesAtOnce);
    const last = zones.at(-1);
    if (last === undefined) return;
    yield* await Promise.all(zones.map((zone) => migrateZone(context, actor, zone, options)));
    after = last.id;
  }
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
