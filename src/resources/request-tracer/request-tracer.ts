import { errorCodes } from "../../core/error-codes.ts";
import { invalidBody, invalidRequest, overloaded } from "../../core/error.ts";
import { octetsOf } from "../../core/expression/byte-string.ts";
import { ruleMatchesOf, withOutcomes } from "../../core/judging/rule-matches.ts";
import type { Evaluation } from "../../core/judging/evaluation.ts";
import { judgeRequest } from "../../core/judging/judge-request.ts";
import { challenges, type Action } from "../../core/rulesets/phases.ts";
import { describeText, splitUrl } from "../../core/judging/described-request.ts";
import { fieldText, excessivePart } from "../../core/judging/request-fields.ts";
import { RequestParts, TooCostly } from "../../core/judging/request-parts.ts";
import { originRequestOf, type OriginRequest } from "../../core/transforms/origin-request.ts";
import type { Task, TaskCaller, TaskRunner } from "../../operation/task.ts";
import type { RulesetContext } from "../rulesets/rulesets.ts";
import { previousEventOf, recordSecurityEvents, toEventMatches } from "../security-events/security-events.ts";
import { withRulesOf } from "../zone-documents/zone-documents.ts";
import { findZoneOfHost } from "../zones/zones.ts";
import type { Location, TraceBody } from "./schema.ts";

/** Characters of a request that is evaluated in the main thread. */
const smallLengthMax = 4_096;

interface Trace extends Pick<Evaluation, "trace"> {
  readonly status_code?: number;
  readonly origin_request?: OriginRequest;
}

interface TracedRequest {
  readonly accountId: string;
  readonly body: TraceBody;
  /** Whether its rules turned out to take too long for the main thread. */
  readonly isCostly: boolean;
}

/** Milliseconds that a worker may take for a request. */
const traceMsMax = 10_000;

/**
 * Traces a request: a short one here, unless its rules take too long. Errors: those of the task, 503 code
 * 10505 where the rules take longer than ten seconds.
 */
export async function traceInTime(
  { runTask }: TaskRunner<RulesetContext>,
  caller: TaskCaller,
  request: Omit<TracedRequest, "isCostly">,
): Promise<Trace> {
  const signal = AbortSignal.timeout(traceMsMax);
  const run = (isCostly: boolean) => runTask(traceRequestTask, caller, { ...request, isCostly }, { signal });
  try {
    return await run(false).catch((error: unknown) => {
      if (error instanceof TooCostly) return run(true);
      throw error;
    });
  } catch (error) {
    if (error !== signal.reason) throw error;
    throw overloaded(`The rules take longer than ${traceMsMax / 1_000} seconds on this request`);
  }
}

/** Every rule may search the whole request, so long requests are evaluated in a worker. */
export const traceRequestTask: Task<RulesetContext, TracedRequest, Trace> = {
  name: "traceRequest",
  isSmall,
  isBrief: true,
  run: traceRequest,
};

function isSmall({ body, isCostly }: TracedRequest): boolean {
  return !isCostly && JSON.stringify(body).length <= smallLengthMax;
}

/**
 * Evaluates a request by the rules of its zone and answers the trace; nothing is sent. What the firewall
 * rules, and the previous WAF where it is in force, do is recorded as security events
 * (docs/decisions/0028-security-events.md).
 * Errors: 400 code 1003 for an invalid URL or body or headers beyond `requestLimits`, 400 code 20400 for a
 * host outside the account's zones.
 */
async function traceRequest(
  context: RulesetContext,
  caller: TaskCaller,
  traced: TracedRequest,
): Promise<Trace> {
  const { accountId, body } = traced;
  const parts = splitUrl(body.url);
  if (parts === undefined) {
    throw invalidBody("/url", "must be an absolute http or https URL");
  }
  const zone = await findZoneOfHost(context.db.read, accountId, parts.host);
  if (zone === undefined) {
    throw invalidRequest(
      errorCodes.requestTracer.noZoneOfHost,
      "the account has no zone for the host of the URL",
      "/url",
    );
  }
  const headers = body.headers ?? {};
  const cookies = body.cookies ?? {};
  const excess = excessivePart({ url: body.url, headers, cookies });
  if (excess !== undefined) {
    throw invalidBody(`/${excess.part}`, excess.rule);
  }
  const { text, mediaType } = bodyOf(body.body);
  const now = context.now();
  // A link-local address carries its interface.
  const address = caller.address.replace(/%.*$/, "");
  const id = context.newId();
  const described = {
    method: body.method.toUpperCase(),
    ...(typeof body.protocol === "string" && { protocol: body.protocol }),
    ...describeText(
      { headers, cookies, body: text, ...(mediaType !== undefined && { bodyType: mediaType }) },
      parts,
    ),
    address,
    time: Math.floor(now.getTime() / 1000),
    msec: now.getTime() % 1000,
    rayId: id.slice(0, 16),
    seed: () => Buffer.from(id, "hex").toString("latin1"),
    known: knownOf(body.context),
  };
  const passed = body.context?.skip_challenge === true ? challenges : [];
  const solved = new Map(passed.map((action): [Action, number] => [action, now.getTime()]));
  const country = body.context?.geoloc?.iso_code ?? "";
  const options = { solved, ...(isSmall(traced) && limited(text)) };
  const { sent, decided, trace, request, previousMatches, urlNormalization } = await withRulesOf(
    context,
    { zone, sources: [{ address, country }] },
    ({ rules, judging }) => ({
      ...judgeRequest(rules, judging, described, parts, options),
      urlNormalization: judging.urlNormalization,
    }),
  );
  const status = decided?.status;
  await recordSecurityEvents(context, zone, [
    {
      request: {
        method: body.method.toUpperCase(),
        scheme: parts.isSecure ? "https" : "http",
        host: parts.host,
        path: parts.path,
        query: parts.query,
        protocol: body.protocol ?? "HTTP/1.1",
        userAgent: fieldText(sent, "http.user_agent"),
        referer: fieldText(sent, "http.referer"),
        address,
        country,
        edgeStatus: status ?? 0,
        originStatus: 0,
      },
      matches: [
        ...toEventMatches(ruleMatchesOf(trace, solved)),
        ...withOutcomes(previousMatches, solved).map(previousEventOf),
      ],
      metadata: { traced: "true" },
    },
  ]);
  if (status !== undefined) return { status_code: status, trace };
  return { origin_request: originRequestOf(sent, request, urlNormalization), trace };
}

/** Throws TooCostly for rules that would hold the main thread. */
function limited(body: string): { readonly parts: RequestParts } {
  const parts = new RequestParts(() => performance.now());
  parts.beginAsking(octetsOf(body));
  parts.askNoMore();
  return { parts };
}

function knownOf(context: TraceBody["context"]): Record<string, unknown> {
  const { bot_score, threat_score, geoloc } = context ?? {};
  return given({
    "cf.bot_management.score": bot_score,
    "cf.threat_score": threat_score,
    ...locationFields(geoloc ?? {}),
  });
}

function locationFields(location: Location): Record<string, unknown> {
  const { latitude, longitude } = location;
  const fields = {
    "ip.src.city": location.city,
    "ip.src.continent": location.continent,
    "ip.src.country": location.iso_code,
    "ip.src.is_in_european_union": location.is_eu_country,
    "ip.src.lat": typeof latitude === "number" ? String(latitude) : undefined,
    "ip.src.lon": typeof longitude === "number" ? String(longitude) : undefined,
    "ip.src.postal_code": location.postal_code,
    "ip.src.region_code": location.region_code,
    "ip.src.subdivision_2_iso_code": location.subdivision_2_iso_code,
    "ip.src.timezone.name": location.timezone,
  };
  const olderNames = {
    "ip.geoip.continent": location.continent,
    "ip.geoip.country": location.iso_code,
    "ip.geoip.is_in_european_union": location.is_eu_country,
    "ip.geoip.subdivision_2_iso_code": location.subdivision_2_iso_code,
  };
  return { ...fields, ...olderNames };
}

function given(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null),
  );
}

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** The body of a traced request, from any of its forms. Errors: 400 code 1003. */
export function bodyOf(body: TraceBody["body"]): { readonly text: string; readonly mediaType?: string } {
  const { base64: encoded, json, plain_text } = body ?? {};
  if (typeof encoded === "string") {
    if (base64.test(encoded)) return { text: Buffer.from(encoded, "base64").toString("utf8") };
    throw invalidBody("/body/base64", "must be padded base64");
  }
  if (json !== undefined && json !== null)
    return { text: JSON.stringify(json), mediaType: "application/json" };
  if (typeof plain_text === "string") return { text: plain_text, mediaType: "text/plain" };
  return { text: "" };
}
