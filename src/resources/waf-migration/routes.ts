import { onZone } from "../../core/policy/permission.ts";
import { route, type Route } from "../../http/route.ts";
import type { Context } from "../../operation/context.ts";
import { MigrationCheck, MigrationQuery, MigrationStatus, ProposedConfiguration } from "./schema.ts";
import { checkMigration, getMigrationStatus, proposeConfiguration } from "./waf-migration.ts";

export function wafMigrationRoutes(context: Context): Route[] {
  const read = onZone("Zone WAF Read");
  return [
    route({
      operation: "checkMigration",
      summary: "Check whether a zone can update to the new WAF managed rules",
      method: "GET",
      path: "/zones/{zone_id}/waf_migration/check",
      permission: read,
      query: MigrationQuery,
      result: MigrationCheck,
      handle: async ({ params, query }) => {
        const { check, messages } = await checkMigration(context, params.zone_id, query);
        return { result: check, messages };
      },
    }),
    route({
      operation: "proposeConfiguration",
      summary: "Propose a configuration of the new WAF that matches the previous one",
      method: "GET",
      path: "/zones/{zone_id}/waf_migration/config",
      permission: read,
      query: MigrationQuery,
      result: ProposedConfiguration,
      handle: async ({ params, query }) => {
        const { configuration, messages } = await proposeConfiguration(context, params.zone_id, query);
        return { result: configuration, messages };
      },
    }),
    route({
      operation: "getMigrationStatus",
      summary: "Get the versions of the WAF managed rules that are in force",
      method: "GET",
      path: "/zones/{zone_id}/waf_migration/status",
      permission: read,
      result: MigrationStatus,
      handle: async ({ params }) => ({ result: await getMigrationStatus(context, params.zone_id) }),
    }),
  ];
}
