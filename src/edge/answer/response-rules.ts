import type { RequestContext } from "../../core/expression/context.ts";
import type { ActionParameters } from "../../core/rulesets/action-parameters.ts";
import type { RuleFailure } from "../../core/judging/evaluation.ts";
import { evaluate } from "../../core/judging/evaluate.ts";
import {
  withResponse,
  withResponseHeaders,
  type DescribedResponse,
} from "../../core/judging/response-fields.ts";
import { changeHeaders, headersOf, type Header } from "../../core/transforms/request-headers.ts";
import { customAnswer, type OwnAnswer } from "../errors/block-and-error-pages.ts";
import type { Exchange } from "../request/exchange.ts";
import { endToEnd, withoutZone } from "../request/visitor-request.ts";

/** The stored parameters of a `serve_error` rule. */
interface ErrorParameters {
  readonly content?: string;
  readonly content_type?: string;
  readonly status_code?: number;
}

/** A response after the rules for responses. */
export interface Ruled {
  readonly headers: readonly Header[];
  /** Answer of a rule in place of an error, with the headers of the error that do not describe its content. */
  readonly instead: OwnAnswer | undefined;
  /** Parameters that `compress_response` rules set. */
  readonly compression: ActionParameters;
  /** The request with its response, as context for the next rules. */
  readonly answered: RequestContext;
  /** Rules that could not be judged, and did nothing. */
  readonly failures: readonly RuleFailure[];
}

/** Applies the response rules of a zone. `request` is the request as it went to the origin. */
export function applyResponseRules(
  exchange: Exchange,
  request: RequestContext,
  response: DescribedResponse,
): Ruled {
  const { rules } = exchange.zone;
  const { status, headers } = response;
  const { responseProgram, responseChanges } = rules;
  if (responseProgram.length === 0 && responseChanges.length === 0)
    return { headers, instead: undefined, compression: {}, answered: request, failures: [] };
  const options = { tracesUnmatched: false, failMode: "open" } as const;
  const stages = Map.groupBy(responseProgram, (stage) => ("phase" in stage ? stage.phase : undefined));
  const errors = status < 400 ? [] : (stages.get("http_custom_errors") ?? []);
  const answered = withResponse(request, response);
  const { decided, failures: first } = evaluate(errors, answered, options);
  const managed =
    responseChanges.length === 0
      ? answered
      : withResponseHeaders(answered, changeHeaders(headers, responseChanges));
  const transforms = stages.get("http_response_headers_transform") ?? [];
  const { request: last, failures: second } = evaluate(transforms, managed, options);
  const compressions = stages.get("http_response_compression") ?? [];
  const { configuration: compression, failures: third } = evaluate(compressions, last, options);
  const ruled = framedAs(headers, headersOf(last, "http.response.headers"));
  const instead =
    decided && insteadOf(exchange, decided.rule.action_parameters as ErrorParameters, status, ruled);
  return { headers: ruled, instead, compression, answered: last, failures: [...first, ...second, ...third] };
}

/** Headers of an error that the answer in its place has of its own. */
const ofAnswer: ReadonlySet<string> = new Set(["date", "content-type", "content-length", "content-encoding"]);

/** Takes the headers that rules made, but for those that say where the response ends: these stay as they came. */
function framedAs(came: readonly Header[], ruled: readonly Header[]): readonly Header[] {
  const kept = ruled.filter(([name]) => name !== "content-length");
  return [...endToEnd(kept), ...came.filter(([name]) => name === "content-length")];
}

/** Undefined for a rule that names an asset: assets are not stored. */
function insteadOf(
  { address, location, ray }: Exchange,
  { content, content_type, status_code }: ErrorParameters,
  status: number,
  ruled: readonly Header[],
): OwnAnswer | undefined {
  if (content === undefined) return undefined;
  const tokens = { CLIENT_IP: withoutZone(address), RAY_ID: ray, GEO: location.country ?? "XX" };
  const text = content.replaceAll(
    /::(CLIENT_IP|RAY_ID|GEO)::/g,
    (_, token: keyof typeof tokens) => tokens[token],
  );
  const { headers, ...answer } = customAnswer(status_code ?? status, content_type ?? "text/html", text);
  return { ...answer, headers: [...ruled.filter(([name]) => !ofAnswer.has(name)), ...headers] };
}
