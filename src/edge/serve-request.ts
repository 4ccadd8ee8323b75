import type { RuleMatch } from "../core/judging/rule-matches.ts";
import { targetOf } from "../core/transforms/origin-request.ts";
import { valueIn } from "../core/transforms/request-headers.ts";
import { isChallengeAnswer } from "./challenges/challenges.ts";
import { takeChallengeAnswer } from "./challenges/take-challenge-answer.ts";
import type { EdgeZone } from "./zones/edge-zone.ts";
import { AnswerCut, VisitorGone } from "./origin/forward.ts";
import { TooManyHeld } from "./request/held-bodies.ts";
import { judgeVisitor, type JudgedVisit } from "./judging/judge-visitor.ts";
import { noteJudged } from "./judging/note-judged.ts";
import { isLoop } from "./origin/origin-headers.ts";
import { isOwnPath, ownPathAnswer } from "./answer/own-paths.ts";
import { problemAnswer, redirectAnswer, type OwnAnswer } from "./errors/pages.ts";
import type { Problem } from "./errors/problem.ts";
import { problems, refusal } from "./errors/problems.ts";
import { BodyTooLarge, RequestBody } from "./request/request-body.ts";
import { isServedHost, unservedHost } from "./zones/served-hosts.ts";
import { ruledAnswer, ruledError } from "./answer/ruled-answers.ts";
import { serveFromOrigin } from "./serve-origin.ts";
import { answer, OwnAnswerDue, securityHeaders, type Serving, type Way } from "./serving.ts";
import { readHost } from "./zones/unread-hosts.ts";
import { cut, type Visit } from "./connections/visit.ts";
import { askedOf, ownersOf } from "./request/visited.ts";
import { readVisitorRequest, RequestRefused, type VisitorRequest } from "./request/visitor-request.ts";

/** Answers one request of a visitor. Never throws. */
export async function serveRequest(serving: Serving, visit: Visit, isSecure: boolean): Promise<void> {
  const ray = serving.newRay();
  const address = serving.addressOf(visit.request);
  let visitor: VisitorRequest | undefined;
  try {
    visitor = readVisitorRequest(visit.request, isSecure);
    const reading = readHost(serving.zones, visitor.hostname);
    if (reading !== undefined) await reading;
    const holding = serving.zones.hold(zoneFor(serving, visit, visitor));
    const held = holding instanceof Promise ? await holding : holding;
    try {
      const location = serving.locate(address);
      await serveInZone(serving, { visit, visitor, zone: held.zone, address, location, ray });
    } finally {
      held.release();
    }
  } catch (error) {
    try {
      const asked = askedOf(serving, visitor, { address, ray });
      await answerFailure(serving, visit, ray, error, (problem) => problemAnswer(problem, asked));
    } catch (failure) {
      serving.logger.error({ err: failure, ray }, "a request could not be answered");
      cut(visit);
    }
  }
}

/** Answers a request that failed. Returns the status that the visitor gets; undefined if it has one already. */
async function answerFailure(
  serving: Serving,
  visit: Visit,
  ray: string,
  error: unknown,
  answerTo: (problem: Problem) => OwnAnswer,
): Promise<number | undefined> {
  if (error instanceof VisitorGone) {
    serving.answered(499);
    return 499;
  }
  const problem = problemFor(error);
  if (problem === problems.internal) serving.logger.error({ err: error, ray }, "a request failed");
  if (visit.response.headersSent) {
    cut(visit);
    return undefined;
  }
  const own = answerTo(problem);
  await answer(serving, visit, ray, own).catch(() => cut(visit));
  return own.status;
}

function problemFor(error: unknown): Problem {
  if (error instanceof OwnAnswerDue || error instanceof BodyTooLarge || error instanceof TooManyHeld)
    return error.problem;
  if (error instanceof AnswerCut) return problems.badOriginAnswer;
  return error instanceof RequestRefused ? refusal(error) : problems.internal;
}

/** The zone that serves a request. Throws OwnAnswerDue where there is none. */
function zoneFor({ zones, loopToken }: Serving, visit: Visit, visitor: VisitorRequest): EdgeZone {
  const { hostname, headers, isSecure } = visitor;
  if (/^[\d.]+$|:/.test(hostname)) throw new OwnAnswerDue(problems.directAddress);
  const zone = zones.enclosing(hostname);
  if (zone === undefined || !isServedHost(zones, zone, hostname))
    throw new OwnAnswerDue(unservedHost(zones, hostname));
  if (isLoop(headers, loopToken)) throw new OwnAnswerDue(problems.loop);
  if (isSecure) refuseMisdirected(zones, visit, zone);
  return zone;
}

function serveInZone(serving: Serving, way: Way): Promise<void> {
  const { visit, visitor, zone, ray } = way;
  const moved = schemeRedirect(way);
  if (moved !== undefined) return answer(serving, visit, ray, moved, securityHeaders(way));
  if (!zone.isPaused && isOwnPath(visitor)) return answerOwnPath(serving, way);
  if (visit.upgrade !== undefined && !zone.settings.hasWebSockets)
    throw new OwnAnswerDue(problems.noWebSockets);
  const { uploadBytesMax } = zone.settings;
  if ((visitor.bodyLength ?? 0) > uploadBytesMax) throw new OwnAnswerDue(problems.tooLarge);
  return judgeAndServe(serving, way);
}

async function answerOwnPath(serving: Serving, way: Way): Promise<void> {
  const own = isChallengeAnswer(way.visitor)
    ? await serving.waiting.during(way, takeChallengeAnswer(serving, way, bodyOf(way)))
    : ownPathAnswer(serving, way);
  await answer(serving, way.visit, way.ray, own, securityHeaders(way));
}

/** A TLS connection serves only the zone whose certificate was sent on it (RFC 9110 section 7.4), as its TLS version is that zone's. */
function refuseMisdirected(zones: Serving["zones"], { request }: Visit, zone: EdgeZone): void {
  const name = (request.socket as { readonly servername?: string | false }).servername;
  if (typeof name === "string" && zones.enclosing(name.toLowerCase())?.id !== zone.id) {
    throw new OwnAnswerDue(problems.misdirected);
  }
}

/** Redirects visitors to HTTP in a zone without TLS, and to HTTPS in a zone that requires it. */
function schemeRedirect({ visitor, zone }: Way): OwnAnswer | undefined {
  const { ssl, alwaysUseHttps } = zone.settings;
  if (zone.isPaused) return undefined;
  const { hostname, path, query, isSecure } = visitor;
  const isLed = isSecure
    ? ssl === "off"
    : alwaysUseHttps && ssl !== "off" && !path.startsWith("/.well-known/acme-challenge/");
  if (!isLed) return undefined;
  return redirectAnswer(301, `${isSecure ? "http" : "https"}://${hostname}${targetOf(path, query)}`);
}

/** The body of a request; undefined for none. */
function bodyOf({ visit: { request, response }, visitor, zone }: Way): RequestBody | undefined {
  if (!visitor.hasBody) return undefined;
  const isAskedFor =
    visitor.protocol !== "HTTP/1.0" && valueIn(visitor.headers, "expect").toLowerCase() === "100-continue";
  const askFor = isAskedFor ? () => response.writeContinue() : undefined;
  return new RequestBody(request, zone.settings.uploadBytesMax, askFor);
}

async function judgeAndServe(serving: Serving, way: Way): Promise<void> {
  const { visit, ray } = way;
  const body = bodyOf(way);
  const judging = judgeVisitor(serving, way, body, { hasAllHeaders: true });
  const judged = judging instanceof Promise ? await serving.waiting.during(way, judging) : judging;
  let edgeStatus = 499;
  let originStatus = 0;
  let responseMatches: readonly RuleMatch[] = [];
  try {
    const own = ruledAnswer(serving, way, judged);
    if (own !== undefined) {
      edgeStatus = own.status;
      await serving.matchedRules?.add(way, judged);
      await answer(serving, visit, ray, own, [...securityHeaders(way), ...judged.cookies]);
      return;
    }
    const serve = () =>
      serveFromOrigin(serving, way, judged, body, (origin, edge, matches = []) => {
        originStatus = origin;
        edgeStatus = edge;
        responseMatches = matches;
      });
    const isHeld = body !== undefined && way.zone.readsBodiesAgain;
    await (isHeld ? serving.heldBodies.during(ownersOf(way), body.octetsRead, serve) : serve());
  } catch (error) {
    await serving.matchedRules?.add(way, judged);
    const answerTo = (problem: Problem) => errorInZone(serving, way, judged, problem);
    edgeStatus = (await answerFailure(serving, visit, ray, error, answerTo)) ?? edgeStatus;
  } finally {
    noteJudged(serving, way, judged, { edgeStatus, originStatus }, responseMatches);
  }
}

/** An error page with what the zone adds to its answers. */
function errorInZone(serving: Serving, way: Way, judged: JudgedVisit, problem: Problem): OwnAnswer {
  try {
    const own = ruledError(serving, way, judged, problem);
    return { ...own, headers: [...own.headers, ...securityHeaders(way), ...judged.cookies] };
  } catch (error) {
    serving.logger.error({ err: error, ray: way.ray }, "a rule for errors failed");
    return problemAnswer(problems.internal, askedOf(serving, way.visitor, way));
  }
}
