import { targetOf } from "../core/transforms/origin-request.ts";
import { valueIn } from "../core/transforms/request-headers.ts";
import { ruledAnswer, ruledError } from "./answer/ruled-answer.ts";
import { serveFromOrigin, type Forwarding } from "./answer/origin-answer.ts";
import { ownPathAnswer, ownPaths } from "./answer/own-paths.ts";
import { isChallengeAnswer } from "./challenges/challenges.ts";
import { redirectAnswer, type OwnAnswer } from "./errors/block-and-error-pages.ts";
import { OwnAnswerDue, problems, type Problem } from "./errors/problems.ts";
import { judgeExchange, noteJudged, takeChallengeAnswer, type Judging } from "./rules/run-rules.ts";
import { AnswerCut } from "./origin/forward.ts";
import { isLoop } from "./origin/origin-request.ts";
import { Exchange, type Edge, type Visit } from "./request/exchange.ts";
import { RequestBody, VisitorGone, type HeldBodies } from "./request/request-body.ts";
import type { Locate } from "./request/visitor-location.ts";
import { readVisitorRequest } from "./request/visitor-request.ts";
import type { EdgeZone, EdgeZones } from "./zones/edge-zone.ts";
import { isServedHost, unservedHost, readHost } from "./zones/hosts.ts";

/** Everything that serving visitors takes. */
export interface Serving {
  readonly edge: Edge;
  readonly zones: EdgeZones;
  readonly addressOf: (request: Visit["request"]) => string;
  /** Undefined where no database says where addresses are. */
  readonly locate: Locate | undefined;
  readonly judging: Judging;
  readonly forwarding: Forwarding;
  readonly heldBodies: HeldBodies;
}

/** Answers one request of a visitor. Never throws. */
export async function serveRequest(serving: Serving, visit: Visit, isSecure: boolean): Promise<void> {
  const { edge, zones, addressOf, locate } = serving;
  const exchange = new Exchange(edge, visit, addressOf(visit.request));
  try {
    exchange.visitor = readVisitorRequest(visit.request, isSecure);
    const reading = readHost(zones, exchange.visitor.hostname);
    if (reading !== undefined) await reading;
    const found = zoneFor(zones, exchange);
    if ("problem" in found) throw new OwnAnswerDue(found.problem);
    const holding = zones.hold(found.zone);
    const held = holding instanceof Promise ? await holding : holding;
    try {
      exchange.zone = held.zone;
      if (locate !== undefined) exchange.location = locate(exchange.address);
      await serveInZone(serving, exchange);
    } finally {
      held.release();
    }
  } catch (error) {
    try {
      await answerFailure(exchange, error, (problem) => exchange.problemAnswer(problem));
    } catch (failure) {
      edge.logger.error({ err: failure, ray: exchange.ray }, "a request could not be answered");
      exchange.cut();
    }
  }
}

/** Answers a request that failed, unless the visitor has an answer already. */
async function answerFailure(
  exchange: Exchange,
  error: unknown,
  answerTo: (problem: Problem) => OwnAnswer,
): Promise<void> {
  const { edge, ray, visit } = exchange;
  if (error instanceof VisitorGone) {
    exchange.edgeStatus = 499;
    edge.answered(499);
    return;
  }
  const problem = problemFor(error);
  if (problem === problems.internal) edge.logger.error({ err: error, ray }, "a request failed");
  if (visit.response.headersSent) {
    exchange.cut();
    return;
  }
  const own = answerTo(problem);
  exchange.edgeStatus = own.status;
  await exchange.answer(own).catch(() => exchange.cut());
}

function problemFor(error: unknown): Problem {
  if (error instanceof OwnAnswerDue) return error.problem;
  return error instanceof AnswerCut ? problems.badOriginAnswer : problems.internal;
}

/** The zone that serves a request, or why none does. */
function zoneFor(
  zones: EdgeZones,
  { visit, visitor, edge }: Exchange,
): { readonly zone: EdgeZone } | { readonly problem: Problem } {
  const { hostname, headers, isSecure } = visitor;
  if (/^[\d.]+$|:/.test(hostname)) return { problem: problems.directAddress };
  const zone = zones.enclosing(hostname);
  if (zone === undefined || !isServedHost(zones, zone, hostname))
    return { problem: unservedHost(zones, hostname) };
  if (isLoop(headers, edge.loopToken())) return { problem: problems.loop };
  return isSecure && isMisdirected(zones, visit, zone) ? { problem: problems.misdirected } : { zone };
}

/**
 * Whether a TLS connection was opened for another zone. It serves only the zone whose certificate was sent on it
 * (RFC 9110 section 7.4), as its TLS version is that zone's.
 */
function isMisdirected(zones: EdgeZones, { request }: Visit, zone: EdgeZone): boolean {
  const name = (request.socket as { readonly servername?: string | false }).servername;
  return typeof name === "string" && zones.enclosing(name.toLowerCase())?.id !== zone.id;
}

async function serveInZone(serving: Serving, exchange: Exchange): Promise<void> {
  exchange.body = bodyOf(exchange);
  const own = exchange.zone.isPaused ? undefined : unruledAnswer(serving, exchange);
  if (own !== undefined) return exchange.answer(await own, exchange.securityHeaders);
  const problem = unsupported(exchange);
  if (problem !== undefined) throw new OwnAnswerDue(problem);
  return judgeAndServe(serving, exchange);
}

/** The answer of the edge itself that no rule judges: a redirect to the other scheme, or that of a path of the edge. */
function unruledAnswer(
  { judging, forwarding }: Serving,
  exchange: Exchange,
): OwnAnswer | Promise<OwnAnswer> | undefined {
  const moved = schemeRedirect(exchange);
  if (moved !== undefined || !exchange.visitor.path.startsWith(ownPaths)) return moved;
  return isChallengeAnswer(exchange.visitor)
    ? forwarding.waiting.during(exchange, takeChallengeAnswer(judging, exchange))
    : ownPathAnswer(exchange);
}

/** Redirects visitors to HTTP in a zone without TLS, and to HTTPS in a zone that requires it. */
function schemeRedirect({ visitor, zone }: Exchange): OwnAnswer | undefined {
  const { ssl, alwaysUseHttps } = zone.settings;
  const { hostname, path, query, isSecure } = visitor;
  const isLed = isSecure
    ? ssl === "off"
    : alwaysUseHttps && ssl !== "off" && !path.startsWith("/.well-known/acme-challenge/");
  if (!isLed) return undefined;
  return redirectAnswer(301, `${isSecure ? "http" : "https"}://${hostname}${targetOf(path, query)}`);
}

/** The reason for which the settings of its zone do not permit a request; undefined where they do. */
function unsupported({ visit, visitor, zone }: Exchange): Problem | undefined {
  const { hasWebSockets, uploadBytesMax } = zone.settings;
  if (visit.upgrade !== undefined && !hasWebSockets) return problems.noWebSockets;
  return (visitor.bodyLength ?? 0) > uploadBytesMax ? problems.tooLarge : undefined;
}

/** The body of a request; undefined for none. */
function bodyOf({ visit: { request, response }, visitor, zone }: Exchange): RequestBody | undefined {
  if (!visitor.hasBody) return undefined;
  const isAskedFor =
    visitor.protocol !== "HTTP/1.0" && valueIn(visitor.headers, "expect").toLowerCase() === "100-continue";
  const askFor = isAskedFor ? () => response.writeContinue() : undefined;
  return new RequestBody(request, zone.settings.uploadBytesMax, { askFor });
}

async function judgeAndServe(serving: Serving, exchange: Exchange): Promise<void> {
  const { judging, forwarding, heldBodies } = serving;
  const evaluating = judgeExchange(judging, exchange, { hasAllHeaders: true });
  const judged =
    evaluating instanceof Promise ? await forwarding.waiting.during(exchange, evaluating) : evaluating;
  exchange.judged = judged;
  try {
    const own = judged.decided && ruledAnswer(judging, exchange, judged, judged.decided);
    if (own !== undefined) {
      exchange.edgeStatus = own.status;
      await judging.matchedRules?.add(exchange, judged);
      await exchange.answer(own, [...exchange.securityHeaders, ...judged.cookies]);
      return;
    }
    const { body, zone } = exchange;
    const serve = () => serveFromOrigin(judging, forwarding, exchange);
    const isHeld = body !== undefined && zone.readsBodiesAgain;
    await (isHeld ? heldBodies.during(exchange.owners, body.octetsRead, serve) : serve());
  } catch (error) {
    await judging.matchedRules?.add(exchange, judged);
    await answerFailure(exchange, error, (problem) => errorInZone(exchange, problem));
  } finally {
    noteJudged(judging, exchange);
  }
}

/** An error page with what the zone adds to its answers. */
function errorInZone(exchange: Exchange, problem: Problem): OwnAnswer {
  try {
    const own = ruledError(exchange, problem);
    return { ...own, headers: [...own.headers, ...exchange.securityHeaders, ...exchange.judged.cookies] };
  } catch (error) {
    exchange.edge.logger.error({ err: error, ray: exchange.ray }, "a rule for errors failed");
    return exchange.problemAnswer(problems.internal);
  }
}
