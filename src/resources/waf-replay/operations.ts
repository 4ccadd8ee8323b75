import { JsonText } from "../../core/json.ts";
import type { Context } from "../../operation/context.ts";
import type { TaskRunner } from "../../operation/task.ts";
import { zoneRead, zoneUpload, type ZoneRead } from "../../operation/scope.ts";
import type { RulesetContext } from "../rulesets/rulesets.ts";
import { migrationReport } from "./migration-report.ts";
import { MigrationReport, ReplayBody, ReplayProgress, ReplayReport, ReportQuery } from "./schema.ts";
import { replayFileBytesMax, replayRequestsTask } from "./waf-replay.ts";

export const replayRequests = zoneUpload({
  name: "replayRequests",
  summary: "Run recorded requests through both versions of the WAF managed rules",
  path: "/zones/{zone_id}/waf_migration/replay",
  permission: "Zone WAF Write",
  body: ReplayBody,
  progress: ReplayProgress,
  result: ReplayReport,
  fileBytesMax: replayFileBytesMax,
  run: async ({ zone, caller, context }: ZoneRead<Context & TaskRunner<RulesetContext>>, { form, watch }) =>
    new JsonText(
      await context.runTask(
        replayRequestsTask,
        caller,
        { accountId: zone.account_id, zoneId: zone.id, form },
        watch,
      ),
    ),
});

/** By the events of visitors' requests; traces and replays do not count. */
export const reportMigration = zoneRead({
  name: "reportMigration",
  summary: "Compare both versions of the WAF managed rules by the requests of visitors",
  path: "/zones/{zone_id}/waf_migration/report",
  permission: "Analytics Read",
  query: ReportQuery,
  result: MigrationReport,
  run: async ({ db, zone, context }, { query: { hours = 24 } }) =>
    migrationReport(db, zone, new Date(context.now().getTime() - hours * 3_600_000)),
});
