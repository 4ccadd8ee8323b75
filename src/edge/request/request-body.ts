import type { Readable } from "node:stream";

import { VisitorGone } from "../origin/forward.ts";
import { GatheredOctets } from "./gathered-octets.ts";
import { problems } from "../errors/problems.ts";

/** A body is larger than the zone allows. */
export class BodyTooLarge extends Error {
  override readonly name = "BodyTooLarge";
  readonly problem = problems.tooLarge;
}

/**
 * The body of a request, whose beginning may have been read for the rules. The rest is read as fast as the
 * origin takes it.
 */
export class RequestBody implements AsyncIterable<Buffer> {
  readonly #source: Readable;
  readonly #bytesMax: number;
  readonly #start = new GatheredOctets();
  #askFor: (() => void) | undefined;
  #hasEnded = false;

  /**
   * `askFor` tells a visitor that waits for it (`Expect: 100-continue`, RFC 9110 section 10.1.1) to send the body; undefined
   * for one that sends it unasked.
   */
  constructor(source: Readable, bytesMax: number, askFor?: () => void) {
    this.#source = source;
    this.#bytesMax = bytesMax;
    this.#askFor = askFor;
  }

  /** Whether the visitor sends it only once it is read. */
  get expectsContinue(): boolean {
    return this.#askFor !== undefined;
  }

  /** Octets of its beginning that were read, and not sent to an origin since. */
  get octetsRead(): number {
    return this.#start.length;
  }

  /** Whether some of it may have been sent to an origin: then the request cannot be sent again. */
  isSent = false;

  /** The beginning of the body, and whether there is more of it. Throws VisitorGone. */
  async start(bytes: number): Promise<{ readonly octets: Buffer; readonly isWhole: boolean }> {
    for await (const part of this.#rest()) {
      this.#start.add(part);
      if (this.#start.length > bytes) break;
    }
    const whole = this.#start.whole();
    return { octets: whole.subarray(0, bytes), isWhole: this.#hasEnded && whole.length <= bytes };
  }

  /** All of the body. Throws VisitorGone and BodyTooLarge. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer, void, undefined> {
    this.isSent = true;
    let bytes = 0;
    const counted = (part: Buffer): Buffer => {
      bytes += part.length;
      if (bytes > this.#bytesMax) throw new BodyTooLarge();
      return part;
    };
    if (this.#start.length > 0) yield counted(this.#start.take());
    for await (const part of this.#rest()) yield counted(part);
  }

  async *#rest(): AsyncGenerator<Buffer, void, undefined> {
    if (this.#hasEnded) return;
    this.#askFor?.();
    this.#askFor = undefined;
    try {
      for await (const part of this.#source.iterator({ destroyOnReturn: false })) yield part as Buffer;
    } catch (cause) {
      throw new VisitorGone("the body is not complete", { cause });
    }
    this.#hasEnded = true;
  }
}
