import { onAccount } from "../../core/policy/permission.ts";
import { route, type Route } from "../../http/route.ts";
import type { TaskRunner } from "../../operation/task.ts";
import type { RulesetContext } from "../rulesets/rulesets.ts";
import { traceRequestTask } from "./request-tracer.ts";
import { RequestTrace, TraceBody } from "./schema.ts";

export function requestTracerRoutes({ runTask }: TaskRunner<RulesetContext>): Route[] {
  return [
    route({
      operation: "traceRequest",
      summary: "Get the rules that a request would meet, without sending it",
      method: "POST",
      path: "/accounts/{account_id}/request-tracer/trace",
      permission: onAccount("Allow Request Tracer Read"),
      body: TraceBody,
      result: RequestTrace,
      handle: async ({ caller, params, body }) => ({
        result: await runTask(traceRequestTask, caller, { accountId: params.account_id, body }),
      }),
    }),
  ];
}
