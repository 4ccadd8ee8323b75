import type { Readable } from "node:stream";

import { problems } from "./problems.ts";

/** A body is larger than the zone allows. */
export class BodyTooLarge extends Error {
  override readonly name = "BodyTooLarge";
  readonly problem = problems.tooLarge;
}

/**
 * The body of a request, whose beginning may have been read for the rules. The rest is read as fast as the
 * origin takes it. `httpContinue` tells a visitor that waits for it (`Expect: 100-continue`) to send the
 * body.
 */
export class RequestBody implements AsyncIterable<Buffer> {
  readonly #source: Readable;
  readonly #bytesMax: number;
  readonly #httpContinue: () => void;
  #start: Buffer[] = [];
  #startBytes = 0;
  #hasEnded = false;
  #isAwaited = true;

  constructor(source: Readable, bytesMax: number, httpContinue: () => void) {
    this.#source = source;
    this.#bytesMax = bytesMax;
    this.#httpContinue = httpContinue;
  }

  /** Whether some of it may have been sent to an origin: then the request cannot be sent again. */
  isSent = false;

  /** The beginning of the body, and whether there is more of it. Throws what reading throws, and BodyTooLarge. */
  async start(bytes: number): Promise<{ readonly octets: Buffer; readonly isWhole: boolean }> {
    for await (const part of this.#rest()) {
      this.#start.push(part);
      this.#startBytes += part.length;
      if (this.#startBytes > bytes) break;
    }
    const whole = Buffer.concat(this.#start);
    this.#start = [whole];
    return { octets: whole.subarray(0, bytes), isWhole: this.#hasEnded && whole.length <= bytes };
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer, void, undefined> {
    this.isSent = true;
    let bytes = 0;
    const counted = (part: Buffer): Buffer => {
      bytes += part.length;
      if (bytes > this.#bytesMax) throw new BodyTooLarge();
      return part;
    };
    for (const part of this.#start) if (part.length > 0) yield counted(part);
    this.#start = [];
    for await (const part of this.#rest()) yield counted(part);
  }

  async *#rest(): AsyncGenerator<Buffer, void, undefined> {
    if (this.#hasEnded) return;
    if (this.#isAwaited) this.#httpContinue();
    this.#isAwaited = false;
    for await (const part of this.#source.iterator({ destroyOnReturn: false })) yield part as Buffer;
    this.#hasEnded = true;
  }
}
