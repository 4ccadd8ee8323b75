/** Where the octets of a body lie. */
interface Place {
  readonly start: number;
  readonly end: number;
}

/**
 * The newest bodies, one after the other in one block outside of the heap that V8 collects: thousands of bodies in it would
 * cost each request a share of their collection.
 */
export class BodyRing {
  readonly #block: Buffer;
  readonly #bodyOctetsMax: number;
  #next = 0;

  /** A body stays until bodies of `octets` were kept after it. */
  constructor({ octets, bodyOctetsMax }: { readonly octets: number; readonly bodyOctetsMax: number }) {
    // Each lies in one piece, so the end of the block may remain empty.
    this.#block = Buffer.allocUnsafeSlow(octets + 2 * bodyOctetsMax);
    this.#bodyOctetsMax = bodyOctetsMax;
  }

  /** Keeps the parts of a body, in place of the oldest ones. */
  keep(parts: readonly (string | Uint8Array)[]): Place {
    if (this.#next + this.#bodyOctetsMax > this.#block.length) this.#next = 0;
    const start = this.#next;
    for (const part of parts) {
      if (typeof part === "string") this.#next += this.#block.write(part, this.#next);
      else {
        this.#block.set(part, this.#next);
        this.#next += part.length;
      }
    }
    return { start, end: this.#next };
  }

  text({ start, end }: Place): string {
    return this.#block.toString("utf8", start, end);
  }
}
