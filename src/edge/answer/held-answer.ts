import type { Transform } from "node:stream";

import { GatheredOctets } from "../request/gathered-octets.ts";

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
export class HeldAnswer {
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
