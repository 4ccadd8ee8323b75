import type { Readable } from "node:stream";

import { FairRoom } from "../../core/fair-room.ts";
import { OwnAnswerDue, problems } from "../errors/problems.ts";
import { GatheredOctets } from "./gathered-octets.ts";

/** The visitor left before its request or its answer was complete. */
export class VisitorGone extends Error {
  override readonly name = "VisitorGone";
}

interface BodyOptions {
  /** Tells a visitor that waits for it (`Expect: 100-continue`, RFC 9110 section 10.1.1) to send the body. */
  readonly askFor?: (() => void) | undefined;
  /** Whether `source` is only the beginning of the body. */
  readonly isPart?: boolean;
}

/**
 * The body of a request, whose beginning may have been read for the rules. The rest is read as fast as the
 * origin takes it.
 */
export class RequestBody implements AsyncIterable<Buffer> {
  readonly #source: Readable;
  readonly #bytesMax: number;
  readonly #start = new GatheredOctets();
  readonly #isPart: boolean;
  #askFor: (() => void) | undefined;
  #hasEnded = false;

  constructor(source: Readable, bytesMax: number, { askFor, isPart = false }: BodyOptions = {}) {
    this.#source = source;
    this.#bytesMax = bytesMax;
    this.#askFor = askFor;
    this.#isPart = isPart;
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
    return {
      octets: whole.subarray(0, bytes),
      isWhole: !this.#isPart && this.#hasEnded && whole.length <= bytes,
    };
  }

  /** All of the body. Throws VisitorGone, and OwnAnswerDue for a body that is larger than the zone allows. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer, void, undefined> {
    this.isSent = true;
    let bytes = 0;
    const counted = (part: Buffer): Buffer => {
      bytes += part.length;
      if (bytes > this.#bytesMax) throw new OwnAnswerDue(problems.tooLarge);
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

const heldOctetsMax = 64 * 1024 * 1024;

/**
 * Bounds the bodies that are held until their requests are answered, as rules for answers read them again. All threads
 * hold 64 MiB, of which the accounts of the zones have a share, and the visitors of one of its zones a share of that.
 */
export class HeldBodies {
  readonly #room: FairRoom;

  constructor(threads: number) {
    this.#room = new FairRoom(Math.floor(heldOctetsMax / threads));
  }

  /**
   * Serves a request whose body is held meanwhile. Throws OwnAnswerDue where there is no room, and what `serve`
   * throws.
   */
  async during<T>(owners: readonly string[], octets: number, serve: () => Promise<T>): Promise<T> {
    const giveBack = this.#room.take(owners, octets);
    if (giveBack === undefined) throw new OwnAnswerDue(problems.overloaded);
    try {
      return await serve();
    } finally {
      giveBack();
    }
  }
}
