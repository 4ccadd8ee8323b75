import type { TraceStep } from "../../../src/core/judging/trace-step.ts";
import type { TraceBody } from "../../../src/resources/request-tracer/schema.ts";
import { accountPath } from "./accounts.ts";
import type { ApiCall } from "./call.ts";

export type { TraceBody, TraceStep };

/** What rules make of a request that is not sent. */
export interface RequestTrace {
  /** The status that a rule answers with; absent where the request reaches the origin. */
  readonly status_code?: number;
  /** The request as the origin would get it. */
  readonly origin_request?: {
    readonly url: string;
    readonly headers: readonly { readonly name: string; readonly value: string }[];
  };
  readonly trace: readonly TraceStep[];
}

export const traceRequest = (accountId: string, body: TraceBody): ApiCall<RequestTrace> => ({
  method: "POST",
  path: `${accountPath(accountId)}/request-tracer/trace`,
  body,
});
