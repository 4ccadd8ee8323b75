import type { ServerResponse } from "node:http";
import { Http2ServerResponse } from "node:http2";
import type { Transform, Writable } from "node:stream";

import type { OriginAnswerSink, OriginHead, VisitorEvents } from "../origin/forward.ts";
import type { Exchange } from "../request/exchange.ts";
import { GatheredOctets } from "../request/gathered-octets.ts";
import type { WaitingExchange, WaitingExchanges } from "../request/waiting-exchanges.ts";

/**
 * What happens to an origin's response: its body is passed on, as it is or through a stream, or the edge has sent
 * another response instead.
 */
export type Passage = "goes on" | "is answered" | Transform;

/** How a response is judged before any of it is sent. */
export interface Inspection {
  /** Octets of the body to read before `decide`; 0 for none. */
  readonly bytesMax: number;
  /** Never rejects. */
  readonly decide: (start: Buffer) => Promise<Passage>;
}

/** Holds back the beginning of a body until its response has been judged. */
class HeldAnswer {
  readonly #inspection: Inspection;
  readonly #release: (passage: Passage, start: Buffer) => void;
  readonly #start = new GatheredOctets();
  #decision: Promise<void> | undefined;

  /** `release` is called once, with everything that was held back. */
  constructor(inspection: Inspection, release: (passage: Passage, start: Buffer) => void) {
    this.#inspection = inspection;
    this.#release = release;
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
      .then((passage) => this.#release(passage, this.#start.take()));
    return this.#decision;
  }
}

/** What becomes of a response whose head an origin sent. */
type AnswerHead = (head: OriginHead) => Passage | Inspection;

/** Passes the origin's response on to a visitor. `answerHead` may change it, answer instead, or have it held back. */
export class VisitorSink implements OriginAnswerSink {
  readonly #exchange: Exchange;
  readonly #answerHead: AnswerHead;
  readonly upgraded: OriginAnswerSink["upgraded"];
  readonly #waiting: WaitingExchanges;
  /** What takes the body: the response, or the stream ahead of it. */
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
    this.#hasBegun = true;
    if (this.#isAnswered || body.write(part)) return true;
    if (!this.#isFull) {
      body.once("drain", () => this.#drained());
      this.#beginWait();
    }
    this.#isFull = true;
    return false;
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
    // What is left of the answer is held until the visitor takes it.
    this.#beginWait();
    this.#body.end();
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
