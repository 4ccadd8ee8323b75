import { accountRead, type AccountRead } from "../../operation/scope.ts";
import type { Context } from "../../operation/context.ts";
import type { TaskRunner } from "../../operation/task.ts";
import type { RulesetContext } from "../rulesets/rulesets.ts";
import { traceInTime } from "./request-tracer.ts";
import { RequestTrace, TraceBody } from "./schema.ts";

export const traceRequest = accountRead({
  name: "traceRequest",
  summary: "Get the rules that a request would meet, without sending it",
  method: "POST",
  path: "/accounts/{account_id}/request-tracer/trace",
  permission: "Allow Request Tracer Read",
  body: TraceBody,
  result: RequestTrace,
  run: async ({ accountId, caller, context }: AccountRead<Context & TaskRunner<RulesetContext>>, { body }) =>
    traceInTime(context, caller, { accountId, body }),
});
