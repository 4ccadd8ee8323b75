import { JsonText } from "../../core/json-text.ts";
import { onZone } from "../../core/policy/permission.ts";
import { uploadRoute, type Route } from "../../http/route.ts";
import type { TaskRunner } from "../../operation/task.ts";
import type { RulesetContext } from "../rulesets/rulesets.ts";
import { ReplayBody, ReplayReport } from "./schema.ts";
import { replayFileBytesMax, replayRequestsTask } from "./waf-replay.ts";

/** What a form has besides its file. */
const formBytesMax = 64 * 1024;

export function wafReplayRoutes({ runTask }: TaskRunner<RulesetContext>): Route[] {
  return [
    uploadRoute({
      operation: "replayRequests",
      summary: "Run recorded requests through both versions of the WAF managed rules",
      path: "/zones/{zone_id}/waf_migration/replay",
      permission: onZone("Zone WAF Write"),
      body: ReplayBody,
      result: ReplayReport,
      uploadBytesMax: replayFileBytesMax + formBytesMax,
      handle: async ({ caller, params, form }) => ({
        result: new JsonText(await runTask(replayRequestsTask, caller, { zoneId: params.zone_id, form })),
      }),
    }),
  ];
}
