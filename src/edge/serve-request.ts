import type { Logger } from "pino";

import { decodeText } from "../core/expression/byte-string.ts";
import type { Evaluation } from "../core/rulesets/evaluate.ts";
import { judgeRequest, type Judged } from "../core/rulesets/judge-request.ts";
import { requestLimits } from "../core/rulesets/request-limits.ts";
import { originRequestOf } from "../core/transforms/origin-request.ts";
import type { Header } from "../core/transforms/request-headers.ts";
import type { EdgeZone, EdgeZones } from "./edge-zone.ts";
import type { SslMode } from "./edge-settings.ts";
import { AnswerCut, forward, VisitorGone } from "./forward.ts";
import { endToEnd, flatten, isLoop, originHeaders, unforged } from "./origin-headers.ts";
import type { OriginPools, OriginTarget } from "./origin-pools.ts";
import type { Origins } from "./origins.ts";
import { decidedAnswer } from "./own-answers.ts";
import { problemAnswer, redirectAnswer, type OwnAnswer, type Problem } from "./pages.ts";
import { problemOf, problems } from "./problems.ts";
import type { RateCounters } from "./rate-counters.ts";
import { BodyTooLarge, RequestBody } from "./request-body.ts";
import { applyResponseRules } from "./response-rules.ts";
import { cut, sendAnswer, sinkOf, writeHead, type Visit } from "./visit.ts";
import { readVisitorRequest, RequestRefused, type VisitorRequest } from "./visitor-request.ts";
import { joinWebSocket } from "./web-sockets.ts";

/** A request that rules judged, with what was answered. */
export interface ServedRequest {
  readonly zone: EdgeZone;
  readonly visitor: VisitorRequest;
  readonly address: string;
  /** Without the place. */
  readonly ray: string;
  readonly evaluation: Evaluation;
  readonly edgeStatus: number;
  /** 0 without an answer of the origin. */
  readonly originStatus: number;
}

/** What serving a request needs. */
export interface Serving {
  readonly zones: EdgeZones;
  readonly origins: Origins;
  readonly pools: OriginPools;
  readonly counters: RateCounters;
  /** Makes a ray id with its place. */
  readonly newRay: () => string;
  /** Names this installation in `CDN-Loop`. */
  readonly loopToken: string;
  readonly addressOf: (request: Visit["request"]) => string;
  readonly now: () => Date;
  readonly logger: Logger;
  /** Called once for each request that a rule did something about. */
  readonly judged: (served: ServedRequest) => void;
  /** Called once for each answer; 499 where the visitor left before it. */
  readonly answered: (status: number) => void;
}

/** What is known of a request while it is served. */
interface Way {
  readonly visit: Visit;
  readonly visitor: VisitorRequest;
  readonly zone: EdgeZone;
  readonly address: string;
  readonly ray: string;
}

/** An answer that the edge gives instead of the origin. */
class OwnAnswerDue extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.title);
    this.problem = problem;
  }
}

/** Answers one request of a visitor. Never throws. */
export async function serveRequest(serving: Serving, visit: Visit, isSecure: boolean): Promise<void> {
  const ray = serving.newRay();
  const address = serving.addressOf(visit.request);
  const asked = (visitor?: VisitorRequest) => ({
    accept: visitor?.headers.find(([name]) => name === "accept")?.[1],
    hostname: visitor?.hostname ?? "",
    address,
    ray,
    now: serving.now(),
  });
  let visitor: VisitorRequest | undefined;
  try {
    visitor = readVisitorRequest(visit.request, isSecure);
    await serveVisitor(serving, visit, visitor, { address, ray });
  } catch (error) {
    if (error instanceof VisitorGone) {
      serving.answered(499);
      return;
    }
    const problem = problemFor(error);
    if (problem === problems.internal) serving.logger.error({ err: error, ray }, "a request failed");
    if (error instanceof AnswerCut || visit.response.headersSent) cut(visit);
    else await answer(serving, visit, ray, problemAnswer(problem, asked(visitor))).catch(() => cut(visit));
  }
}

function problemFor(error: unknown): Problem {
  if (error instanceof OwnAnswerDue || error instanceof BodyTooLarge) return error.problem;
  if (error instanceof RequestRefused) {
    const { status, message } = error;
    return { status, code: status, title: "The request cannot be served", detail: `${message}.` };
  }
  return problems.internal;
}

/** Answers of the edge itself all say which request they are about. */
async function answer(
  serving: Serving,
  visit: Visit,
  ray: string,
  { status, headers, body }: OwnAnswer,
  more: readonly Header[] = [],
): Promise<void> {
  const date: Header = ["date", serving.now().toUTCString()];
  await sendAnswer(visit, { status, headers: [date, ...headers, ...more, ...edgeHeaders(ray)], body });
  serving.answered(status);
}

const edgeHeaders = (ray: string): Header[] => [
  ["server", "zoneward"],
  ["cf-ray", ray],
];

async function serveVisitor(
  serving: Serving,
  visit: Visit,
  visitor: VisitorRequest,
  { address, ray }: Pick<Way, "address" | "ray">,
): Promise<void> {
  const { hostname, isSecure } = visitor;
  if (/^[\d.]+$|:/.test(hostname)) throw new OwnAnswerDue(problems.directAddress);
  const zone = serving.zones.enclosing(hostname);
  if (zone?.names.find(hostname)?.isProxied !== true) throw new OwnAnswerDue(problems.unknownHost);
  if (isLoop(visitor.headers, serving.loopToken)) throw new OwnAnswerDue(problems.loop);
  refuseMisdirected(visit, zone, isSecure);
  const way: Way = { visit, visitor, zone, address, ray };
  const moved = schemeRedirect(way);
  if (moved !== undefined) {
    await answer(serving, visit, ray, moved, isSecure ? zone.settings.securityHeaders : []);
    return;
  }
  if (visit.upgrade !== undefined && !zone.settings.hasWebSockets)
    throw new OwnAnswerDue(problems.noWebSockets);
  const { uploadBytesMax } = zone.settings;
  if ((visitor.bodyLength ?? 0) > uploadBytesMax) throw new OwnAnswerDue(problems.tooLarge);
  const release = serving.zones.hold(zone);
  try {
    await judgeAndServe(serving, way);
  } finally {
    release();
  }
}

/** A connection by TLS is for the zone whose certificate was shown on it (RFC 9110 section 7.4). */
function refuseMisdirected({ request }: Visit, zone: EdgeZone, isSecure: boolean): void {
  if (!isSecure) return;
  const name = (request.socket as { readonly servername?: string | false }).servername;
  if (typeof name === "string" && zone.certificates.contextFor(name.toLowerCase()) === undefined) {
    throw new OwnAnswerDue(problems.misdirected);
  }
}

/** Visitors of a zone without TLS are led to HTTP, those of a zone that wants it to HTTPS. */
function schemeRedirect({ visitor, zone }: Way): OwnAnswer | undefined {
  const { ssl, alwaysUseHttps } = zone.settings;
  if (zone.isPaused) return undefined;
  const { hostname, path, query, isSecure } = visitor;
  const rest = `${hostname}${path}${query === "" ? "" : `?${query}`}`;
  if (isSecure && ssl === "off") return redirectAnswer(301, `http://${rest}`);
  if (isSecure || !alwaysUseHttps || ssl === "off" || path.startsWith("/.well-known/acme-challenge/"))
    return undefined;
  return redirectAnswer(301, `https://${rest}`);
}

async function judgeAndServe(serving: Serving, way: Way): Promise<void> {
  const { visit, visitor, zone, address, ray } = way;
  const { request, response } = visit;
  const isAwaited = visitor.headers.some(
    ([name, value]) => name === "expect" && value.toLowerCase() === "100-continue",
  );
  const body = visitor.hasBody
    ? new RequestBody(request, zone.settings.uploadBytesMax, () => {
        if (isAwaited) response.writeContinue();
      })
    : undefined;
  const judged = await judge(serving, way, body);
  let edgeStatus = 499;
  let originStatus = 0;
  const noted = (): void => {
    const { trace, previousActs } = judged;
    if (trace.length === 0 && previousActs.length === 0) return;
    serving.judged({
      zone,
      visitor,
      address,
      ray: ray.split("-", 1)[0] ?? ray,
      evaluation: judged,
      edgeStatus,
      originStatus,
    });
  };
  try {
    const { decided } = judged;
    if (decided !== undefined && !zone.isPaused) {
      const asked = {
        accept: acceptOf(visitor),
        hostname: visitor.hostname,
        address,
        ray,
        now: serving.now(),
      };
      const own = decidedAnswer(decided, asked);
      const isChallenge = own.headers.some(([name]) => name === "cf-mitigated");
      const { headers } = isChallenge
        ? own
        : applyResponseRules(zone, judged.request, own.status, own.headers);
      edgeStatus = own.status;
      await answer(serving, visit, ray, { ...own, headers }, securityHeaders(way));
      return;
    }
    await serveFromOrigin(serving, way, judged, body, (origin, edge) => {
      originStatus = origin;
      edgeStatus = edge;
    });
  } catch (error) {
    if (error instanceof VisitorGone) throw error;
    const problem =
      error instanceof OwnAnswerDue || error instanceof BodyTooLarge ? error.problem : undefined;
    if (problem !== undefined) edgeStatus = problem.status;
    throw error;
  } finally {
    noted();
  }
}

function acceptOf({ headers }: VisitorRequest): string | undefined {
  return headers.find(([name]) => name === "accept")?.[1];
}

function securityHeaders({ visitor, zone }: Way): readonly Header[] {
  return visitor.isSecure ? zone.settings.securityHeaders : [];
}

/** By the function that the request tracer and replays judge by. */
async function judge(
  serving: Serving,
  { visitor, zone, address, ray }: Way,
  body: RequestBody | undefined,
): Promise<Judged> {
  const { method, isSecure, host, path, query, protocol, bodyLength } = visitor;
  const nowMs = serving.now().getTime();
  const inspected = zone.readsBodies ? await body?.start(requestLimits.bodyOctetsMax) : undefined;
  const text = inspected === undefined ? "" : inspected.octets.toString("latin1");
  const described = {
    method,
    url: "",
    protocol,
    headers: unforged(visitor.headers),
    cookies: {},
    body: decodeText(text) ?? text,
    address: address.replace(/%.*$/, ""),
    time: Math.floor(nowMs / 1_000),
    known: {
      "cf.ray_id": ray.split("-", 1)[0] ?? ray,
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
      tracesUnmatched: false,
      exceeds: (rule, limit, request, isCounted) =>
        serving.counters.exceeds(rule, limit, request, isCounted, nowMs),
    },
  );
}

async function serveFromOrigin(
  serving: Serving,
  way: Way,
  judged: Judged,
  body: RequestBody | undefined,
  note: (originStatus: number, edgeStatus: number) => void,
): Promise<void> {
  const { visit, visitor, zone, address, ray } = way;
  const { isSecure, hostname, bodyLength } = visitor;
  const { route, configuration, sent, request } = judged;
  const ssl = (configuration["ssl"] ?? zone.settings.ssl) as SslMode;
  const scheme =
    ssl === "origin_pull" || (isSecure && (ssl === "full" || ssl === "strict")) ? "https" : "http";
  const found = await serving.origins.find(route.origin?.host?.toLowerCase() ?? hostname, zone);
  if ("problem" in found) throw new OwnAnswerDue(found.problem);
  const hostHeader = route.host_header ?? visitor.host;
  const serverName = route.sni?.value ?? hostHeader.replace(/:\d+$/, "");
  const port = route.origin?.port ?? (scheme === "https" ? 443 : 80);
  const targets = found.addresses.map((target): OriginTarget => ({
    scheme,
    address: target,
    port,
    serverName,
    checksCertificate: ssl === "strict",
  }));
  const passed = originRequestOf(sent, request, zone.judging.urlNormalization);
  const headers = originHeaders(
    passed.headers.map(({ name, value }) => [name, value] as const),
    zone.settings,
    { address, isSecure, ray, loopToken: serving.loopToken },
  );
  const length: Header[] = bodyLength === undefined ? [] : [["content-length", String(bodyLength)]];
  const sink = sinkOf(
    visit,
    (status, answered, text) => {
      if (hasTwoLengths(answered)) throw new OwnAnswerDue(problems.badOriginAnswer);
      const { headers: ruled, instead } = applyResponseRules(zone, request, status, endToEnd(answered));
      const own: Header[] = [...securityHeaders(way), ["cf-cache-status", "DYNAMIC"], ...edgeHeaders(ray)];
      if (instead !== undefined) {
        note(status, instead.status);
        const kept = ruled.filter(
          ([name]) => name !== "content-type" && name !== "content-length" && name !== "content-encoding",
        );
        void answer(
          serving,
          visit,
          ray,
          { ...instead, headers: [...without(kept, own), ...instead.headers] },
          own.slice(0, -2),
        ).catch(() => cut(visit));
        return "is answered";
      }
      note(status, status);
      writeHead(visit, status, [...without(ruled, own), ...own], text);
      serving.answered(status);
      return "goes on";
    },
    (answered, socket) => {
      const { upgrade, response } = visit;
      if (upgrade === undefined || !("detachSocket" in response)) {
        socket.destroy();
        return;
      }
      note(101, 101);
      serving.answered(101);
      response.detachSocket(upgrade.socket as Parameters<typeof response.detachSocket>[0]);
      joinWebSocket(
        upgrade.socket,
        socket,
        [...without(endToEnd(answered), edgeHeaders(ray)), ...edgeHeaders(ray)],
        upgrade.head,
      );
    },
  );
  const origin = {
    method: visitor.method,
    target: targetOf(passed.url),
    hostHeader,
    headers: flatten([...headers, ...length]),
    body,
    readMs: zone.settings.originReadMs,
    isUpgrade: visit.upgrade !== undefined,
  };
  try {
    await forward(serving.pools, targets, origin, sink);
  } catch (error) {
    if (error instanceof VisitorGone || error instanceof AnswerCut) throw error;
    if (error instanceof OwnAnswerDue || error instanceof BodyTooLarge) throw error;
    serving.logger.debug({ err: error, ray }, "an origin failed");
    throw new OwnAnswerDue(problemOf(error));
  }
}

/** An answer whose end is told in two ways means two things (RFC 9112 section 6.3). */
function hasTwoLengths(headers: readonly Header[]): boolean {
  const lengths = headers.filter(([name]) => name === "content-length");
  return (
    lengths.length > 1 || (lengths.length === 1 && headers.some(([name]) => name === "transfer-encoding"))
  );
}

/** Headers of an origin that are for proxies like this one, or that the edge sets itself, are not passed on. */
function without(headers: readonly Header[], own: readonly Header[]): Header[] {
  const names = new Set(own.map(([name]) => name));
  return headers.filter(([name]) => !names.has(name) && !name.startsWith("x-accel-"));
}

/** Path and query of a URL, with what a target cannot hold escaped. */
function targetOf(url: string): string {
  const target = url.slice(url.indexOf("/", url.indexOf("//") + 2));
  return target.toWellFormed().replaceAll(/[^!-"$-~]/gu, (character) => encodeURIComponent(character));
}
