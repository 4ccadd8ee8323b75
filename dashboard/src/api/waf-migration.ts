import type { MigrationCheck, MigrationStatus } from "../../../src/resources/waf-migration/schema.ts";
import type { ProposedRuleset } from "../../../src/core/waf-plan/plan.ts";
import { path, type ApiCall } from "./call.ts";
import { zonePath } from "./zones.ts";
import { managedEntryPointPath, type Ruleset, type RulesetBody } from "./rulesets.ts";

export type { ProposedRuleset };

/** Which versions of the managed rules are in force: the previous one, both, or the new one. */
export type MigrationState = MigrationStatus["migration_state"];

export const wafMigrationPath = (zoneId: string): string => path`/zones/${zoneId}/waf_migration`;

const phaseTwo = { phase_two: 1 } as const;

/** The versions in force, and whether the zone can update; the messages are what stands in its way. */
export const checkMigration = (zoneId: string): ApiCall<MigrationCheck> => ({
  method: "GET",
  path: path`/zones/${zoneId}/waf_migration/check`,
  query: phaseTwo,
});

export const proposeConfiguration = (zoneId: string): ApiCall<ProposedRuleset> => ({
  method: "GET",
  path: path`/zones/${zoneId}/waf_migration/config`,
  query: phaseTwo,
});

export const migrationStatus = (zoneId: string): ApiCall<MigrationStatus> => ({
  method: "GET",
  path: path`/zones/${zoneId}/waf_migration/status`,
});

/** Saves the new version's rules: beside the previous version, or in its place. */
export const migrate = (
  zoneId: string,
  mode: "validation" | "pending",
  body: RulesetBody,
): ApiCall<Ruleset> => ({
  method: "PUT",
  path: managedEntryPointPath(zonePath(zoneId)),
  query: { waf_migration: mode, ...phaseTwo },
  body,
});
