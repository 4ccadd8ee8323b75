import type { ServerResponse } from "node:http";
import { Http2ServerResponse } from "node:http2";
import type { Duplex, Transform, Writable } from "node:stream";

import { failedMatches, type RuleMatch } from "../../core/judging/rule-matches.ts";
import type { ActionParameters } from "../../core/rulesets/action-parameters.ts";
import { valueIn, type Header } from "../../core/transforms/request-headers.ts";
import { headersSetOn, release } from "../../wire/handshake.ts";
import type { OwnAnswer } from "../errors/block-and-error-pages.ts";
import { OwnAnswerDue, problemOf, problems } from "../errors/problems.ts";
import { countAnswer, logFailures, type Judging } from "../rules/run-rules.ts";
import {
  AnswerCut,
  forward,
  type OriginAnswerSink,
  type OriginHead,
  type VisitorEvents,
} from "../origin/forward.ts";
import type { OriginPools } from "../origin/origin-connections.ts";
import { originRequest, targetsAt } from "../origin/origin-request.ts";
import type { Origins } from "../zones/hosts.ts";
import { acceptWebSocket, relay } from "../origin/web-sockets.ts";
import {
  edgeHeaders,
  type Exchange,
  type Visit,
  type WaitingExchange,
  type WaitingExchanges,
} from "../request/exchange.ts";
import { GatheredOctets } from "../request/gathered-octets.ts";
import { endToEnd } from "../request/visitor-request.ts";
import { VisitorGone } from "../request/request-body.ts";
import { chooseEncoding, encodedHeaders, type Compressors } from "./compression.ts";
import { responseFirewall, type ResponseFirewall } from "./response-firewall.ts";
import { applyResponseRules, type Ruled } from "./response-rules.ts";

/** Everything that answering with the response of an origin takes. */
export interface Forwarding {
  readonly origins: Origins;
  readonly pools: OriginPools;
  readonly compressors: Compressors;
  readonly waiting: WaitingExchanges;
  /** Creates a stream through which the origin's octets of a WebSocket go to the visitor. */
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
  const { responseProgram, responseChanges } = exchange.zone.rules;
  const isRuled = responseProgram.length + responseChanges.length > 0 || judging.matchedRules !== undefined;
  if (!isRuled) return new Answering(judging, compressors, exchange, head, unruled(came)).passOn();
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

type Passed = Pick<Ruled, "headers" | "compression" | "failures">;

const unruled = (headers: readonly Header[]): Passed => ({ headers, compression: {}, failures: [] });

/** Sends the head of an origin's response, or another response in its place. */
class Answering {
  readonly #judging: Judging;
  readonly #compressors: Compressors;
  readonly #exchange: Exchange;
  readonly #head: OriginHead;
  readonly #ruled: Passed;
  /** Matches of rules for the response that could not be judged. */
  readonly #failed: readonly RuleMatch[];

  constructor(
    judging: Judging,
    compressors: Compressors,
    exchange: Exchange,
    head: OriginHead,
    ruled: Passed,
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

/**
 * The way of an origin's response: its body is passed on, as it is or through a stream, or the edge has sent
 * another response instead.
 */
type Passage = "goes on" | "is answered" | Transform;

/** The judgement of a response before any of it is sent. */
interface Inspection {
  /** Octets of the body to read before `decide`; 0 for none. */
  readonly bytesMax: number;
  /** Never rejects. */
  readonly decide: (start: Buffer) => Promise<Passage>;
}

/** Holds back the beginning of a body until its response has been judged. */
class HeldAnswer {
  readonly #inspection: Inspection;
  readonly #onDecided: (passage: Passage, start: Buffer) => void;
  readonly #start = new GatheredOctets();
  #decision: Promise<void> | undefined;

  /** `onDecided` is called once, with everything that was held back. */
  constructor(inspection: Inspection, onDecided: (passage: Passage, start: Buffer) => void) {
    this.#inspection = inspection;
    this.#onDecided = onDecided;
    if (inspection.bytesMax === 0) void this.end();
  }

  /** Returns whether it wants more of the body before the decision. */
  add(part: Buffer): boolean {
    this.#start.add(part);
    if (this.#start.length >= this.#inspection.bytesMax) void this.end();
    return this.#decision === undefined;
  }

  /** Judges what has arrived; resolves when it has been released. */
  end(): Promise<void> {
    this.#decision ??= this.#inspection
      .decide(this.#start.whole())
      .then((passage) => this.#onDecided(passage, this.#start.take()));
    return this.#decision;
  }
}

/** Decides over a response whose head an origin sent. */
type AnswerHead = (head: OriginHead) => Passage | Inspection;

/** Octets of a body that are kept until the end of the turn, so that all of a short answer leaves in one write. */
const firstOctetsMax = 4_096;

/** Passes the origin's response on to a visitor. `answerHead` may change it, answer instead, or have it held back. */
class VisitorSink implements OriginAnswerSink {
  readonly #exchange: Exchange;
  readonly #answerHead: AnswerHead;
  readonly upgraded: OriginAnswerSink["upgraded"];
  readonly #waiting: WaitingExchanges;
  /** The response, or the stream ahead of it. */
  #body: Writable;
  /** The attempt that is told what the visitor does. */
  #attempt: VisitorEvents | undefined;
  #held: HeldAnswer | undefined;
  #isAnswered = false;
  /** While the answer waits for its visitor. */
  #wait: WaitingExchange | undefined;
  /** Whether it waits until the body takes more. */
  #isFull = false;
  /** Whether any of the body, or its end, has come. */
  #hasBegun = false;
  /** The first of the body, while it may still leave in one write with the head and the end. */
  #first: Buffer | undefined;
  #isClosed = false;

  constructor(
    exchange: Exchange,
    waiting: WaitingExchanges,
    answerHead: AnswerHead,
    upgraded: OriginAnswerSink["upgraded"],
  ) {
    const { response } = exchange.visit;
    this.#exchange = exchange;
    this.#waiting = waiting;
    this.#answerHead = answerHead;
    this.upgraded = upgraded;
    this.#body = response;
    response.on("close", () => this.#close());
  }

  begin(attempt: VisitorEvents): void {
    this.#attempt = attempt;
    if (this.#exchange.visit.response.destroyed) attempt.leave();
  }

  head(head: OriginHead): void {
    const next = this.#answerHead(head);
    if (typeof next === "string" || !("decide" in next)) this.#settle(next);
    else this.#held = new HeldAnswer(next, (passage, start) => this.#release(passage, start));
  }

  data(part: Buffer): boolean {
    return this.#held === undefined ? this.#write(part) : this.#held.add(part);
  }

  end(): Promise<void> | undefined {
    if (this.#held !== undefined) return this.#held.end().then(() => this.#end());
    this.#end();
    return undefined;
  }

  #settle(passage: Passage): void {
    this.#isAnswered = passage === "is answered";
    if (!this.#isAnswered) process.nextTick(() => this.#sendHead());
    if (typeof passage === "string") return;
    this.#body = passage;
    passage.on("error", () => this.#exchange.cut());
    if (this.#isClosed) passage.destroy();
    // Both classes have the same methods; a union of them has none that TypeScript can call.
    else passage.pipe(this.#exchange.visit.response as ServerResponse);
  }

  /** In HTTP/1.1, Node.js would send the head with the first of the body, which may come long after it. */
  #sendHead(): void {
    const { response } = this.#exchange.visit;
    this.#sendFirst();
    if (this.#hasBegun || this.#isClosed || response instanceof Http2ServerResponse) return;
    response.flushHeaders();
  }

  #release(passage: Passage, start: Buffer): void {
    this.#held = undefined;
    this.#settle(passage);
    if (start.length === 0 || this.#write(start)) this.#attempt?.resume();
  }

  #write(part: Buffer): boolean {
    const body = this.#body;
    if (!this.#hasBegun && part.length <= firstOctetsMax && this.#writesToConnection()) {
      this.#hasBegun = true;
      this.#first = part;
      return true;
    }
    this.#sendFirst();
    this.#hasBegun = true;
    if (this.#isAnswered || body.write(part)) return true;
    if (!this.#isFull) {
      body.once("drain", () => this.#drained());
      this.#beginWait();
    }
    this.#isFull = true;
    return false;
  }

  #writesToConnection(): boolean {
    const { response } = this.#exchange.visit;
    return this.#body === response && !this.#isAnswered && !(response instanceof Http2ServerResponse);
  }

  #sendFirst(): void {
    const first = this.#first;
    this.#first = undefined;
    if (first !== undefined && !this.#isClosed) this.#body.write(first);
  }

  #beginWait(): void {
    if (!this.#isClosed) this.#wait ??= this.#waiting.begin(this.#exchange);
  }

  #endWait(): void {
    if (this.#wait !== undefined) this.#waiting.end(this.#wait);
    this.#wait = undefined;
  }

  #drained(): void {
    this.#isFull = false;
    this.#endWait();
    this.#attempt?.resume();
  }

  #end(): void {
    this.#hasBegun = true;
    if (this.#isAnswered) return;
    const first = this.#first;
    this.#first = undefined;
    // Node.js sends a text and the head in one write.
    if (first === undefined) this.#body.end();
    else this.#body.end(first.toString("latin1"), "latin1");
    // The rest of the answer is held until the visitor takes it.
    if (this.#body.writableLength > 0 || !this.#writesToConnection()) this.#beginWait();
    void this.#exchange.passOver();
  }

  #close(): void {
    const { response } = this.#exchange.visit;
    this.#isClosed = true;
    this.#endWait();
    if (this.#body !== response) this.#body.destroy();
    if (!response.writableEnded) this.#attempt?.leave();
  }
}
