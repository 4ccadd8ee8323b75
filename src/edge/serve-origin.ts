import type { Judged } from "../core/judging/judge-request.ts";
import { originTargetOf, targetOf } from "../core/transforms/origin-request.ts";
import { originPath } from "../core/transforms/url-normalization.ts";
import { headersOf, type Header } from "../core/transforms/request-headers.ts";
import { headersSetOn, release } from "../wire/handshake.ts";
import { settingsFor } from "./zones/edge-settings.ts";
import { AnswerCut, forward, VisitorGone, type OriginRequest } from "./origin/forward.ts";
import { endToEnd, flatten, originHeaders, withOwn } from "./origin/origin-headers.ts";
import type { JudgedVisit } from "./judging/judge-visitor.ts";
import { answerAsOrigin, type Note } from "./answer/origin-answer.ts";
import type { OriginTarget } from "./origin/origin-pools.ts";
import { problemOf } from "./errors/problems.ts";
import { BodyTooLarge, type RequestBody } from "./request/request-body.ts";
import { edgeHeaders, OwnAnswerDue, type Serving, type Way } from "./serving.ts";
import type { Visited } from "./request/visited.ts";
import { VisitorSink } from "./answer/visitor-sink.ts";
import { acceptWebSocket, relay } from "./connections/web-sockets.ts";

/**
 * Forwards a request as the rules changed it, and answers as the origin does. Throws OwnAnswerDue where the
 * edge answers instead, VisitorGone and AnswerCut.
 */
export async function serveFromOrigin(
  serving: Serving,
  way: Way,
  judged: JudgedVisit,
  body: RequestBody | undefined,
  note: Note,
): Promise<void> {
  // A WebSocket has no response to judge, so its line is written now.
  if (way.visit.upgrade !== undefined) await serving.matchedRules?.add(way, judged);
  const { host = way.visitor.hostname } = judged.route.origin ?? {};
  const finding = serving.origins.find(host.toLowerCase(), way.zone);
  const found = finding instanceof Promise ? await finding : finding;
  if ("problem" in found) throw new OwnAnswerDue(found.problem);
  const targets = targetsAt(found.addresses, way, judged);
  const request = requestFor(serving, way, judged, body);
  try {
    await forward(serving.pools, targets, request, sinkFor(serving, way, judged, note));
  } catch (error) {
    const isTold = [VisitorGone, AnswerCut, OwnAnswerDue, BodyTooLarge].some((kind) => error instanceof kind);
    if (isTold) throw error;
    serving.logger.debug({ err: error, ray: way.ray }, "an origin failed");
    throw new OwnAnswerDue(problemOf(error));
  }
}

/** Passes an origin's response on to the visitor, as the rules change it. */
function sinkFor(serving: Serving, way: Way, judged: JudgedVisit, note: Note): VisitorSink {
  return new VisitorSink(
    way,
    serving.waiting,
    (status, headers, text) => answerAsOrigin(serving, way, judged, note, { status, headers, text }),
    (headers, socket) => {
      const { upgrade, response } = way.visit;
      if (upgrade === undefined || !("detachSocket" in response)) {
        socket.destroy();
        return;
      }
      note(101, 101);
      serving.answered(101);
      release(response, upgrade.socket);
      const given = withOwn(endToEnd(headers), [...edgeHeaders(way.ray), ...headersSetOn(response)]);
      acceptWebSocket(upgrade.socket, given);
      relay(upgrade.socket, socket, upgrade.head, serving.watchRelay?.(way.visit));
    },
  );
}

function targetsAt(
  addresses: readonly string[],
  { visitor, zone }: Way,
  { route, configuration }: Judged,
): OriginTarget[] {
  const { ssl } = settingsFor(zone.settings, configuration);
  const isSecure = ssl === "origin_pull" || (visitor.isSecure && (ssl === "full" || ssl === "strict"));
  const port = route.origin?.port ?? (isSecure ? 443 : 80);
  if (!isSecure) return addresses.map((address) => ({ zone, address, port, tls: undefined }));
  const hostHeader = route.host_header ?? visitor.host;
  const serverName = route.sni?.value ?? hostHeader.replace(/:\d+$/, "");
  const tls = { serverName, checksCertificate: ssl === "strict" };
  return addresses.map((address) => ({ zone, address, port, tls }));
}

/** A request as the rules changed it: path and query, and headers without `Host` and those of the body. */
export function sentOn(
  { loopToken }: Pick<Serving, "loopToken">,
  { visitor, zone, address, location, ray }: Visited,
  { sent, request, unforged, configuration, removedHeaders }: JudgedVisit,
): { readonly target: string; readonly headers: Header[] } {
  const { isSecure, path, query } = visitor;
  const { urlNormalization } = zone.judging;
  const target =
    request === sent
      ? targetOf(originPath(path, urlNormalization), query)
      : originTargetOf(sent, request, urlNormalization);
  const headers = request === sent ? unforged : headersOf(request);
  return {
    target: asciiOf(target),
    headers: originHeaders(headers, settingsFor(zone.settings, configuration), {
      address,
      removedHeaders,
      country: location.country,
      isSecure,
      ray,
      loopToken,
    }),
  };
}

function requestFor(
  serving: Serving,
  way: Way,
  judged: JudgedVisit,
  body: RequestBody | undefined,
): OriginRequest {
  const { visit, visitor, zone } = way;
  const { method, host, bodyLength } = visitor;
  const { target, headers } = sentOn(serving, way, judged);
  if (bodyLength !== undefined) headers.push(["content-length", String(bodyLength)]);
  return {
    method,
    target,
    headers: flatten(headers, ["host", judged.route.host_header ?? host]),
    body,
    readMs: zone.settings.originReadMs,
    isUpgrade: visit.upgrade !== undefined,
  };
}

/** A target in ASCII: other characters are escaped. */
function asciiOf(target: string): string {
  if (/^[!-"$-~]*$/.test(target)) return target;
  return target.toWellFormed().replaceAll(/[^!-"$-~]/gu, (character) => encodeURIComponent(character));
}
