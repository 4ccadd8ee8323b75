import type { RequestContext } from "../core/expression/context.ts";
import type { ActionParameters } from "../core/rulesets/action-parameters.ts";
import { evaluate } from "../core/rulesets/evaluate.ts";
import { withResponse, withResponseHeaders } from "../core/rulesets/response-fields.ts";
import { changeHeaders, headersOf, type Header } from "../core/transforms/request-headers.ts";
import type { ReadyZone } from "./edge-zone.ts";
import { endToEnd } from "./origin-headers.ts";
import { customAnswer, type OwnAnswer } from "./pages.ts";

/** The stored parameters of a `serve_error` rule. */
interface ErrorParameters {
  readonly content?: string;
  readonly content_type?: string;
  readonly status_code?: number;
}

/** A response after the rules for responses. */
export interface Ruled {
  readonly headers: readonly Header[];
  /** The response in place of the origin's. */
  readonly instead: OwnAnswer | undefined;
  /** What `compress_response` rules set. */
  readonly compression: ActionParameters;
  /** The request with its response, as context for the next rules. */
  readonly answered: RequestContext;
}

/** Applies the response rules of a zone. `request` is the request as it went to the origin. */
export function applyResponseRules(
  { rules }: Pick<ReadyZone, "rules">,
  request: RequestContext,
  status: number,
  headers: readonly Header[],
): Ruled {
  const { responseProgram, responseChanges } = rules;
  if (responseProgram.length === 0 && responseChanges.length === 0)
    return { headers, instead: undefined, compression: {}, answered: request };
  const options = { tracesUnmatched: false };
  const stages = Map.groupBy(responseProgram, (stage) => ("phase" in stage ? stage.phase : undefined));
  const errors = status < 400 ? [] : (stages.get("http_custom_errors") ?? []);
  const answered = withResponse(request, { status, headers });
  const { decided } = evaluate(errors, answered, options);
  const instead = decided && errorAnswer(decided.rule.action_parameters as ErrorParameters, status);
  const managed =
    responseChanges.length === 0
      ? answered
      : withResponseHeaders(answered, changeHeaders(headers, responseChanges));
  const transforms = stages.get("http_response_headers_transform") ?? [];
  const { request: last } = evaluate(transforms, managed, options);
  const compressions = stages.get("http_response_compression") ?? [];
  const { configuration: compression } = evaluate(compressions, last, options);
  const ruled = framedAs(headers, headersOf(last, "http.response.headers"));
  return { headers: ruled, instead, compression, answered: last };
}

/** What rules made of headers, but for those that say where the response ends: these stay as they came. */
function framedAs(came: readonly Header[], ruled: readonly Header[]): readonly Header[] {
  const kept = ruled.filter(([name]) => name !== "content-length");
  return [...endToEnd(kept), ...came.filter(([name]) => name === "content-length")];
}

/** Undefined for a rule that names an asset: assets are not stored. */
function errorAnswer(
  { content, content_type, status_code }: ErrorParameters,
  status: number,
): OwnAnswer | undefined {
  if (content === undefined) return undefined;
  return customAnswer(status_code ?? status, content_type ?? "text/html", content);
}
