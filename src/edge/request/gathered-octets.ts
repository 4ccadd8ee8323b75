/** Parts that are kept before they become one. */
const partsMax = 64;

/**
 * Octets that arrive in parts. Few parts are kept, as each takes a hundred octets beside its own, and a sender may make
 * a part of every octet.
 */
export class GatheredOctets {
  #parts: Buffer[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(part: Buffer): void {
    this.#parts.push(part);
    this.#length += part.length;
    if (this.#parts.length === partsMax) this.#join();
  }

  /** Joins the parts. */
  whole(): Buffer {
    const [only] = this.#parts;
    return this.#parts.length === 1 && only !== undefined ? only : this.#join();
  }

  /** The same, which are no longer kept. */
  take(): Buffer {
    const octets = this.whole();
    this.#parts = [];
    this.#length = 0;
    return octets;
  }

  #join(): Buffer {
    const octets = Buffer.concat(this.#parts);
    this.#parts = [octets];
    return octets;
  }
}
