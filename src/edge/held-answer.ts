/** What becomes of an origin's answer: it is passed on, or something else was answered. */
export type Passage = "goes on" | "is answered";

/** How an answer is judged before anything of it is sent. */
export interface Inspection {
  /** Octets of the body that are read before; 0 for none. */
  readonly bytesMax: number;
  /** Never rejects. */
  readonly decide: (start: Buffer) => Promise<Passage>;
}

/** The beginning of a body that is held back until its answer was judged. */
export class HeldAnswer {
  readonly #inspection: Inspection;
  readonly #release: (passage: Passage, parts: readonly Buffer[]) => void;
  readonly #parts: Buffer[] = [];
  #bytes = 0;
  #decision: Promise<void> | undefined;

  /** `release` is called once, with all that was held back. */
  constructor(inspection: Inspection, release: (passage: Passage, parts: readonly Buffer[]) => void) {
    this.#inspection = inspection;
    this.#release = release;
    if (inspection.bytesMax === 0) void this.end();
  }

  /** Whether more may come before the decision. */
  add(part: Buffer): boolean {
    this.#parts.push(part);
    this.#bytes += part.length;
    if (this.#bytes >= this.#inspection.bytesMax) void this.end();
    return this.#decision === undefined;
  }

  /** Judges by what there is; resolves once it is released. */
  end(): Promise<void> {
    this.#decision ??= this.#inspection
      .decide(Buffer.concat(this.#parts))
      .then((passage) => this.#release(passage, this.#parts));
    return this.#decision;
  }
}
