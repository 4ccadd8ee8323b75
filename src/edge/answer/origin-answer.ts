import type { Duplex, Transform } from "node:stream";

import { failedMatches, type RuleMatch } from "../../core/judging/rule-matches.ts";
import type { ActionParameters } from "../../core/rulesets/action-parameters.ts";
import { valueIn, type Header } from "../../core/transforms/request-headers.ts";
import { headersSetOn, release } from "../../wire/handshake.ts";
import type { OwnAnswer } from "../errors/pages.ts";
import { OwnAnswerDue, problemOf, problems } from "../errors/problems.ts";
import { countAnswer, logFailures, type Judging } from "../rules/run-rules.ts";
import { AnswerCut, forward, type OriginHead } from "../origin/forward.ts";
import type { OriginPools } from "../origin/origin-pools.ts";
import { originRequest, targetsAt } from "../origin/origin-request.ts";
import type { Origins } from "../origin/origins.ts";
import { acceptWebSocket, relay } from "../origin/web-sockets.ts";
import { edgeHeaders, type Exchange, type Visit } from "../request/exchange.ts";
import { endToEnd } from "../request/headers.ts";
import { VisitorGone } from "../request/request-body.ts";
import type { WaitingExchanges } from "../request/waiting-exchanges.ts";
import { chooseEncoding, encodedHeaders, type Compressors } from "./compression.ts";
import { responseFirewall, type ResponseFirewall } from "./response-firewall.ts";
import { applyResponseRules, type Ruled } from "./response-rules.ts";
import { VisitorSink, type Inspection, type Passage } from "./visitor-sink.ts";

/** What answering with the response of an origin takes. */
export interface Forwarding {
  readonly origins: Origins;
  readonly pools: OriginPools;
  readonly compressors: Compressors;
  readonly waiting: WaitingExchanges;
  /** What the origin's octets of a WebSocket go through on their way to the visitor. */
  readonly watchRelay: ((visit: Visit) => Duplex | undefined) | undefined;
}

/**
 * Forwards a request as the rules changed it, and answers as the origin does. Throws OwnAnswerDue where the
 * edge answers instead, VisitorGone and AnswerCut.
 */
export async function serveFromOrigin(
  judging: Judging,
  forwarding: Forwarding,
  exchange: Exchange,
): Promise<void> {
  const { visit, visitor, zone, judged, ray, edge } = exchange;
  const { origins, pools, waiting } = forwarding;
  // A WebSocket has no response to judge, so its line is written now.
  if (visit.upgrade !== undefined) await judging.matchedRules?.add(exchange, judged);
  const { host = visitor.hostname } = judged.route.origin ?? {};
  const finding = origins.find(host.toLowerCase(), zone);
  const found = finding instanceof Promise ? await finding : finding;
  if ("problem" in found) throw new OwnAnswerDue(found.problem);
  const sink = new VisitorSink(
    exchange,
    waiting,
    (head) => answerAsOrigin(judging, forwarding, exchange, head),
    (headers, socket) => serveWebSocket(forwarding, exchange, headers, socket),
  );
  try {
    await forward(pools, targetsAt(found.addresses, exchange), originRequest(exchange), sink);
  } catch (error) {
    if ([VisitorGone, AnswerCut, OwnAnswerDue].some((kind) => error instanceof kind)) throw error;
    edge.logger.debug({ err: error, ray }, "an origin failed");
    throw new OwnAnswerDue(problemOf(error));
  }
}

/** Relays between a visitor and an origin that switched protocols. */
function serveWebSocket(
  { watchRelay }: Forwarding,
  exchange: Exchange,
  headers: readonly Header[],
  socket: Duplex,
): void {
  const { visit, ray, edge } = exchange;
  const { upgrade, response } = visit;
  if (upgrade === undefined || !("detachSocket" in response)) {
    socket.destroy();
    return;
  }
  exchange.originStatus = 101;
  exchange.edgeStatus = 101;
  edge.answered(101);
  release(response, upgrade.socket);
  const given = withOwn(endToEnd(headers), [...edgeHeaders(ray), ...headersSetOn(response)]);
  acceptWebSocket(upgrade.socket, given);
  relay(upgrade.socket, socket, upgrade.head, watchRelay?.(visit));
}

/** Answers with the origin's response, or with what rules put in its place. Throws OwnAnswerDue. */
function answerAsOrigin(
  judging: Judging,
  { compressors }: Forwarding,
  exchange: Exchange,
  head: OriginHead,
): Passage | Inspection {
  if (isBadlyFramed(head.headers)) throw new OwnAnswerDue(problems.badOriginAnswer);
  const { status } = head;
  const forwarded = endToEnd(head.headers);
  // A 204 has no length (RFC 9110 section 8.6): clients of HTTP/2 reset the stream.
  const came = status === 204 ? forwarded.filter(([name]) => name !== "content-length") : forwarded;
  countAnswer(judging, exchange, { status, headers: came });
  const applied = applyResponseRules(exchange, exchange.judged.request, { status, headers: came });
  if (applied.failures.length > 0) logFailures(exchange, applied.failures);
  const isUnjudged = applied.failures.length > 0 && judging.failMode === "closed";
  const ruled = isUnjudged ? { ...applied, instead: exchange.problemAnswer(problems.unjudged) } : applied;
  const answering = new Answering(judging, compressors, exchange, head, ruled);
  if (ruled.instead !== undefined) return answering.errorOf(ruled.instead);
  const firewall = responseFirewall(judging, exchange, { status, headers: came, ruled: ruled.answered });
  if (firewall === undefined) return answering.passOn();
  return { bytesMax: firewall.bytesMax, decide: (start) => answering.decide(start, firewall) };
}

/** Sends the head of an origin's response, or another response in its place. */
class Answering {
  readonly #judging: Judging;
  readonly #compressors: Compressors;
  readonly #exchange: Exchange;
  readonly #head: OriginHead;
  readonly #ruled: Ruled;
  /** Of rules for the response that could not be judged. */
  readonly #failed: readonly RuleMatch[];

  constructor(
    judging: Judging,
    compressors: Compressors,
    exchange: Exchange,
    head: OriginHead,
    ruled: Ruled,
  ) {
    this.#judging = judging;
    this.#compressors = compressors;
    this.#exchange = exchange;
    this.#head = head;
    this.#ruled = ruled;
    this.#failed = failedMatches(ruled.failures, judging.failMode);
  }

  passOn(matches: readonly RuleMatch[] = []): Passage {
    const { status, text } = this.#head;
    const exchange = this.#exchange;
    this.#note(status, matches);
    if (exchange.visit.response.headersSent) return "is answered";
    const headers = withOwn(this.#ruled.headers, [...this.#own(), ...edgeHeaders(exchange.ray)]);
    headers.push(...exchange.judged.cookies);
    const answered = { status, headers };
    const { headers: encoded, compressor } = compress(
      this.#compressors,
      exchange,
      this.#ruled.compression,
      answered,
    );
    try {
      exchange.writeHead(status, encoded, text);
    } catch (error) {
      compressor?.destroy();
      throw error;
    }
    exchange.edge.answered(status);
    return compressor ?? "goes on";
  }

  /** Answers with what a rule says instead of an error of the origin. */
  errorOf(instead: OwnAnswer): Passage | Inspection {
    const exchange = this.#exchange;
    const own = this.#own();
    const headers = without(instead.headers, [...own, ...edgeHeaders(exchange.ray)]);
    const error = { ...instead, headers };
    const told = this.#judging.matchedRules?.add(exchange, exchange.judged);
    if (told === undefined) return this.#answerInstead(error, own);
    return { bytesMax: 0, decide: () => told.then(() => this.#answerInstead(error, own)) };
  }

  async decide(start: Buffer, firewall: ResponseFirewall): Promise<Passage> {
    const exchange = this.#exchange;
    try {
      const { own, matches } = await firewall.judge(start);
      if (own === undefined) return this.passOn(matches);
      return this.#answerInstead(own, exchange.securityHeaders, matches);
    } catch (error) {
      exchange.edge.logger.error({ err: error, ray: exchange.ray }, "an answer could not be judged");
      return this.#answerInstead(exchange.problemAnswer(problems.internal), []);
    }
  }

  #own(): readonly Header[] {
    return [...this.#exchange.securityHeaders, uncachedAnswer];
  }

  #answerInstead(own: OwnAnswer, more: readonly Header[], matches: readonly RuleMatch[] = []): Passage {
    const exchange = this.#exchange;
    this.#note(own.status, matches);
    // If the origin failed meanwhile, the visitor already has an error page.
    if (!exchange.visit.response.headersSent)
      void exchange.answer(own, [...more, ...exchange.judged.cookies]).catch(() => exchange.cut());
    return "is answered";
  }

  #note(edgeStatus: number, matches: readonly RuleMatch[]): void {
    this.#exchange.originStatus = this.#head.status;
    this.#exchange.edgeStatus = edgeStatus;
    this.#exchange.responseMatches = [...this.#failed, ...matches];
  }
}

const uncachedAnswer: Header = ["cf-cache-status", "DYNAMIC"];

/** The headers of a response as the visitor gets it, and what compresses its body; undefined for nothing. */
function compress(
  compressors: Compressors,
  exchange: Exchange,
  rules: ActionParameters,
  answered: Pick<OriginHead, "status" | "headers">,
): { readonly headers: readonly Header[]; readonly compressor: Transform | undefined } {
  const { visitor, zone } = exchange;
  const { hasBrotli } = zone.settings;
  const { encoding, isVaried } = chooseEncoding(visitor, answered, { hasBrotli, rules });
  const isStreamed = valueIn(answered.headers, "content-length") === "";
  const compressor =
    encoding && visitor.method !== "HEAD"
      ? compressors.open(exchange.owners, encoding, isStreamed)
      : undefined;
  const isEncoded = compressor !== undefined || visitor.method === "HEAD";
  const headers = encodedHeaders(answered.headers, {
    encoding: isEncoded ? encoding : undefined,
    isVaried,
  });
  return { headers, compressor };
}

/**
 * Whether the length of a response is ambiguous (RFC 9112 section 6.3), or its body in a transfer coding that
 * nobody decodes.
 */
function isBadlyFramed(headers: readonly Header[]): boolean {
  let lengths = 0;
  for (const header of headers) {
    const isCoding = header[0] === "transfer-encoding";
    if (isCoding && !/^\s*(?:chunked|identity)\s*$/i.test(header[1])) return true;
    if (isCoding || header[0] === "content-length") lengths += 1;
  }
  return lengths > 1;
}

/** The headers of an origin's response, with the edge's own in place of those of the same name. */
function withOwn(headers: readonly Header[], own: readonly Header[]): Header[] {
  const kept = without(headers, own);
  kept.push(...own);
  return kept;
}

/** Drops headers of an origin's response that are meant for proxies such as this one, or that the edge sets itself. */
function without(headers: readonly Header[], own: readonly Header[]): Header[] {
  return headers.filter(
    (header) => !header[0].startsWith("x-accel-") && !own.some((one) => one[0] === header[0]),
  );
}
