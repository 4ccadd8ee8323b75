import { decodeText } from "../core/expression/byte-string.ts";
import { judgeRequest, type Judged } from "../core/rulesets/judge-request.ts";
import { requestLimits } from "../core/rulesets/request-limits.ts";
import { unforged } from "./origin-headers.ts";
import { decidedAnswer } from "./own-answers.ts";
import type { OwnAnswer } from "./pages.ts";
import type { RequestBody } from "./request-body.ts";
import { applyResponseRules } from "./response-rules.ts";
import { askedOf, type ServedRequest, type Serving, type Visited } from "./serving.ts";

/** Octets of a body that the Core Rule Set judges in the main thread. */
const bodyOctetsAtOnce = 8_192;

/** Judges by the function that the request tracer and replays judge by. */
export async function judgeVisitor(
  { now, counters, askCoreRules }: Pick<Serving, "now" | "counters" | "askCoreRules">,
  { visitor, zone, address, ray }: Visited,
  body: Pick<RequestBody, "start"> | undefined,
): Promise<Judged> {
  const { method, isSecure, host, path, query, protocol, bodyLength } = visitor;
  const nowMs = now().getTime();
  const inspected = zone.readsBodies ? await body?.start(requestLimits.bodyOctetsMax) : undefined;
  const text = inspected === undefined ? "" : inspected.octets.toString("latin1");
  const remoteAddress = address.replace(/%.*$/, "");
  const received = { ...visitor.received, body: text, remoteAddress };
  const { coreLevel } = zone.rules;
  const isAskedBeside = coreLevel !== undefined && text.length > bodyOctetsAtOnce;
  const described = {
    received,
    method,
    url: "",
    protocol,
    headers: unforged(visitor.headers),
    cookies: {},
    body: decodeText(text) ?? text,
    address: remoteAddress,
    time: Math.floor(nowMs / 1_000),
    known: {
      "cf.ray_id": idOf(ray),
      ...(inspected?.isWhole === false && {
        "http.request.body.truncated": true,
        "http.request.body.size": bodyLength ?? inspected.octets.length,
      }),
    },
  };
  return judgeRequest(
    zone.rules,
    zone.judging,
    described,
    { isSecure, host, path, query },
    {
      coreJudgement: isAskedBeside ? await askCoreRules(zone, received, coreLevel) : undefined,
      tracesUnmatched: false,
      exceeds: (rule, limit, request, isCounted) => counters.exceeds(rule, limit, request, isCounted, nowMs),
    },
  );
}

/** The answer of the rule that ended the evaluation, as the rules of answers leave it; undefined where none did. */
export function ruledAnswer(
  serving: Pick<Serving, "now">,
  visited: Visited,
  { decided, request }: Judged,
): OwnAnswer | undefined {
  const { visitor, zone } = visited;
  if (decided === undefined || zone.isPaused) return undefined;
  const own = decidedAnswer(decided, askedOf(serving, visitor, visited));
  const isChallenge = own.headers.some(([name]) => name === "cf-mitigated");
  return isChallenge
    ? own
    : { ...own, headers: applyResponseRules(zone, request, own.status, own.headers).headers };
}

/** Tells of a request that a rule did something about. */
export function noteJudged(
  serving: Pick<Serving, "judged">,
  { visitor, zone, address, ray }: Visited,
  evaluation: Judged,
  statuses: Pick<ServedRequest, "edgeStatus" | "originStatus">,
): void {
  if (evaluation.trace.length === 0 && evaluation.previousActs.length === 0) return;
  serving.judged({ zone, visitor, address, ray: idOf(ray), evaluation, ...statuses });
}

/** A ray id without its place. */
const idOf = (ray: string): string => ray.split("-", 1)[0] ?? ray;
