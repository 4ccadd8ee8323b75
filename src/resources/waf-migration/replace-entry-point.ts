import { managedPhase } from "../../core/rulesets/phases.ts";
import type { Static } from "@sinclair/typebox";
import { errorCodes } from "../../core/error-codes.ts";
import { invalidRequest } from "../../core/error.ts";
import type { JsonText } from "../../core/json.ts";
import {
  accountRulesets,
  phaseName,
  ReplaceRulesetBody,
  Ruleset,
  saveEntryPoint,
  zoneRulesets,
  type Level,
  type RulesetChange,
  type RulesetWrite,
} from "../rulesets/rulesets.ts";
import { completeWafMigration, type MigrationRequest } from "./complete-waf-migration.ts";
import { ReplaceEntryPointQuery } from "./schema.ts";
import { prepareChecks } from "../../operation/expression-checks.ts";

/** Replaces the entry point of a phase; with `waf_migration` the zone migrates to its rules. */
function replacementOf({ level, path, of, write }: Level) {
  return write({
    name: level === "zone" ? "replaceEntryPoint" : "replaceAccountEntryPoint",
    summary: `Replace or create the entry point of a phase ${of}`,
    method: "PUT",
    path: `${path}/phases/{ruleset_phase}/entrypoint`,
    ids: phaseName,
    permission: "write",
    query: ReplaceEntryPointQuery,
    body: ReplaceRulesetBody,
    result: Ruleset,
    prepare: prepareChecks(),
    run: (work: RulesetWrite, { params, query, body, prepared: engine }) => {
      const change = { ...work, engine, dryRun: query.dry_run ?? false };
      return replaceEntryPointAndMigrate(change, params.ruleset_phase, body, migrationOf(query));
    },
  });
}

export const replaceEntryPoint = replacementOf(zoneRulesets);
export const replaceAccountEntryPoint = replacementOf(accountRulesets);

/**
 * Replaces the entry point of a phase and, on request, migrates the zone in the same transaction. Answers the
 * ruleset, null on a dry run. Errors: 400 code 20320 for a migration with any entry point but that of a
 * zone's managed phase, and those of `saveEntryPoint` and `completeWafMigration`.
 */
export async function replaceEntryPointAndMigrate(
  change: RulesetChange,
  phase: string,
  body: Static<typeof ReplaceRulesetBody>,
  migration: MigrationRequest | undefined,
): Promise<JsonText | null> {
  if (migration === undefined) return (await saveEntryPoint(change, phase, body)).answer;
  const { owner, context } = change;
  if (owner.level !== "zone" || phase !== managedPhase) {
    throw invalidRequest(
      errorCodes.rulesets.cannotMigrate,
      `only the entry point of a zone in the phase ${managedPhase} can migrate`,
      "/waf_migration",
    );
  }
  // A zone migrates to the rules that it may not have beside the previous version.
  const toAny = { ...context, refuseZoneRules: () => undefined };
  const { rules, answer } = await saveEntryPoint({ ...change, context: toAny }, phase, body);
  const areSent = body.rules !== undefined;
  await completeWafMigration({ ...change, zone: owner.zone }, migration, { rules, areSent }, change);
  return answer;
}

function migrationOf({
  waf_migration,
  phase_two,
}: Static<typeof ReplaceEntryPointQuery>): MigrationRequest | undefined {
  if (waf_migration === undefined) return undefined;
  const to = waf_migration === "pending" || waf_migration === "1" ? "new" : "validation";
  return { to, phaseTwo: phase_two === "1" };
}
