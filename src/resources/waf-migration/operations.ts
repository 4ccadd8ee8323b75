import { errorCodes } from "../../core/error-codes.ts";
import { exceededLimits, obstacles } from "../../core/waf-plan/eligibility.ts";
import { zoneRead } from "../../operation/scope.ts";
import { MigrationCheck, MigrationQuery, MigrationStatus, ProposedConfiguration } from "./schema.ts";
import { alreadyComplete, planEligibleZone, readPreviousWaf, stateOf } from "./waf-migration.ts";

export { replaceAccountEntryPoint, replaceEntryPoint } from "./replace-entry-point.ts";

const read = "Zone WAF Read";

/**
 * The messages say what a migration would be refused for. A zone above the limits of a migration counts as
 * compatible, since only obstacles make it ineligible (docs/contract/waf-migration.md#eligibility).
 */
export const checkMigration = zoneRead({
  name: "checkMigration",
  summary: "Check whether a zone can update to the new WAF managed rules",
  path: "/zones/{zone_id}/waf_migration/check",
  permission: read,
  query: MigrationQuery,
  result: MigrationCheck,
  run: async ({ db, zone, addMessage }, { query }) => {
    const migration_state = stateOf(zone);
    if (zone.waf === "new") {
      addMessage(alreadyComplete());
      return { compatible: false, migration_state };
    }
    const previous = await readPreviousWaf(db, zone);
    const found = obstacles(previous, isPhaseTwo(query));
    for (const reason of [...found, ...exceededLimits(previous)]) addMessage(reason);
    return { compatible: found.length === 0, migration_state };
  },
});

/** The messages say what each old setting becomes, or that it is lost. Errors: as `planEligibleZone`. */
export const proposeConfiguration = zoneRead({
  name: "proposeConfiguration",
  summary: "Propose a configuration of the new WAF that matches the previous one",
  path: "/zones/{zone_id}/waf_migration/config",
  permission: read,
  query: MigrationQuery,
  result: ProposedConfiguration,
  run: async ({ db, zone, addMessage }, { query }) => {
    const { ruleset, consequences } = await planEligibleZone(db, zone, { phaseTwo: isPhaseTwo(query) });
    for (const { setting, becomes } of consequences) {
      addMessage(
        becomes === undefined
          ? { code: errorCodes.wafMigration.lost, message: `${setting}: is lost` }
          : { code: errorCodes.wafMigration.carriedOver, message: `${setting}: becomes ${becomes}` },
      );
    }
    return ruleset;
  },
});

export const getMigrationStatus = zoneRead({
  name: "getMigrationStatus",
  summary: "Get the versions of the WAF managed rules that are in force",
  path: "/zones/{zone_id}/waf_migration/status",
  permission: read,
  result: MigrationStatus,
  run: async ({ zone }) => ({
    created: zone.waf_changed_on ?? zone.created_on,
    migration_state: stateOf(zone),
    new_waf_status: zone.waf === "previous" ? "disabled" : "enabled",
    old_waf_status: zone.waf === "new" ? "disabled" : "enabled",
    source: "zone",
  }),
});

function isPhaseTwo({ phase_two }: MigrationQuery): boolean {
  return phase_two === "1";
}
