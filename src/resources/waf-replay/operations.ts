import { JsonText } from "../../core/json-text.ts";
import type { Context } from "../../operation/context.ts";
import type { TaskRunner } from "../../operation/task.ts";
import { zoneUpload, type ZoneRead } from "../../operation/zone.ts";
import type { RulesetContext } from "../rulesets/rulesets.ts";
import { ReplayBody, ReplayReport } from "./schema.ts";
import { replayFileBytesMax, replayRequestsTask } from "./waf-replay.ts";

export const replayRequests = zoneUpload({
  name: "replayRequests",
  summary: "Run recorded requests through both versions of the WAF managed rules",
  path: "/zones/{zone_id}/waf_migration/replay",
  permission: "Zone WAF Write",
  body: ReplayBody,
  result: ReplayReport,
  fileBytesMax: replayFileBytesMax,
  run: async ({ zone, caller, context }: ZoneRead<Context & TaskRunner<RulesetContext>>, { form }) =>
    new JsonText(await context.runTask(replayRequestsTask, caller, { zoneId: zone.id, form })),
});
