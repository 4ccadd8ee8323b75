import type { ServerResponse } from "node:http";
import { Http2ServerResponse } from "node:http2";
import type { Writable } from "node:stream";

import type { Header } from "../../core/transforms/request-headers.ts";
import type { OriginAnswerSink, VisitorEvents } from "../origin/forward.ts";
import { HeldAnswer, type Inspection, type Passage } from "./held-answer.ts";
import type { Way } from "../serving.ts";
import { cut, passOver, type Visit } from "../connections/visit.ts";
import type { WaitingVisit, WaitingVisits } from "../request/waiting-visits.ts";

/** What becomes of a response whose head an origin sent. */
type AnswerHead = (status: number, headers: readonly Header[], text: string) => Passage | Inspection;

/** Passes the origin's response on to a visitor. `answerHead` may change it, answer instead, or have it held back. */
export class VisitorSink implements OriginAnswerSink {
  readonly #way: Way;
  readonly #visit: Visit;
  readonly #answerHead: AnswerHead;
  readonly upgraded: OriginAnswerSink["upgraded"];
  readonly #waiting: WaitingVisits;
  /** What takes the body: the response, or the stream ahead of it. */
  #body: Writable;
  #exchange: VisitorEvents | undefined;
  #held: HeldAnswer | undefined;
  #isAnswered = false;
  /** While the answer waits for its visitor. */
  #wait: WaitingVisit | undefined;
  /** Whether it waits until the body takes more. */
  #isFull = false;
  /** Whether any of the body, or its end, has come. */
  #hasBegun = false;
  #isClosed = false;

  constructor(
    way: Way,
    waiting: WaitingVisits,
    answerHead: AnswerHead,
    upgraded: OriginAnswerSink["upgraded"],
  ) {
    const { visit } = way;
    this.#way = way;
    this.#visit = visit;
    this.#waiting = waiting;
    this.#answerHead = answerHead;
    this.upgraded = upgraded;
    this.#body = visit.response;
    visit.response.on("close", () => this.#close());
  }

  begin(exchange: VisitorEvents): void {
    this.#exchange = exchange;
    if (this.#visit.response.destroyed) exchange.leave();
  }

  head(status: number, headers: readonly Header[], text: string): void {
    const next = this.#answerHead(status, headers, text);
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
    passage.on("error", () => cut(this.#visit));
    if (this.#isClosed) passage.destroy();
    // Both classes have the same methods; a union of them has none that TypeScript can call.
    else passage.pipe(this.#visit.response as ServerResponse);
  }

  /** In HTTP/1.1, Node.js would send the head with the first of the body, which may come long after it. */
  #sendHead(): void {
    const { response } = this.#visit;
    if (this.#hasBegun || this.#isClosed || response instanceof Http2ServerResponse) return;
    response.flushHeaders();
  }

  #release(passage: Passage, start: Buffer): void {
    this.#held = undefined;
    this.#settle(passage);
    if (start.length === 0 || this.#write(start)) this.#exchange?.resume();
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
    if (!this.#isClosed) this.#wait ??= this.#waiting.begin(this.#way);
  }

  #endWait(): void {
    if (this.#wait !== undefined) this.#waiting.end(this.#wait);
    this.#wait = undefined;
  }

  #drained(): void {
    this.#isFull = false;
    this.#endWait();
    this.#exchange?.resume();
  }

  #end(): void {
    this.#hasBegun = true;
    if (this.#isAnswered) return;
    // What is left of the answer is held until the visitor takes it.
    this.#beginWait();
    this.#body.end();
    void passOver(this.#visit);
  }

  #close(): void {
    const { response } = this.#visit;
    this.#isClosed = true;
    this.#endWait();
    if (this.#body !== response) this.#body.destroy();
    if (!response.writableEnded) this.#exchange?.leave();
  }
}
