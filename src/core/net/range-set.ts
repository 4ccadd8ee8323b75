import { compareAddresses, type IpAddress } from "./ip-address.ts";
import type { IpRange } from "./ip-range.ts";

/** Ranges of one IP version, packed: half a million of them take some megabytes. */
class Ranges {
  readonly #width: 1 | 4;
  /** First and last address of each range, in order and without overlaps, as words. */
  readonly #words: number[] = [];
  #packed: Uint32Array | undefined;
  #last: IpAddress | undefined;

  constructor(width: 1 | 4) {
    this.#width = width;
  }

  /** Ranges must be added in the order of their first addresses. */
  add({ first, last }: IpRange): void {
    this.#packed = undefined;
    if (this.#last === undefined || compareAddresses(this.#last, first) < 0) {
      this.#words.push(...this.#wordsOf(first), ...this.#wordsOf(last));
      this.#last = last;
    } else if (compareAddresses(this.#last, last) < 0) {
      this.#words.splice(-this.#width, this.#width, ...this.#wordsOf(last));
      this.#last = last;
    }
  }

  has(address: IpAddress): boolean {
    const words = (this.#packed ??= Uint32Array.from(this.#words));
    const sought = this.#wordsOf(address);
    const step = 2 * this.#width;
    let low = 0;
    let high = words.length / step;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compare(sought, words, middle * step) < 0) high = middle;
      else if (this.#compare(sought, words, middle * step + this.#width) > 0) low = middle + 1;
      else return true;
    }
    return false;
  }

  #wordsOf({ words }: IpAddress): readonly number[] {
    return this.#width === 1 ? words.slice(3) : words;
  }

  #compare(sought: readonly number[], words: Uint32Array, at: number): number {
    for (let index = 0; index < this.#width; index += 1) {
      const difference = (sought[index] ?? 0) - (words[at + index] ?? 0);
      if (difference !== 0) return difference;
    }
    return 0;
  }
}

/** Addresses in many ranges; a lookup takes logarithmic time. */
export class RangeSet {
  readonly #ofVersion4 = new Ranges(1);
  readonly #ofVersion6 = new Ranges(4);

  /** Ranges of one version must be added in the order of their first addresses. */
  add(range: IpRange): void {
    this.#of(range.first).add(range);
  }

  has(address: IpAddress): boolean {
    return this.#of(address).has(address);
  }

  #of({ version }: IpAddress): Ranges {
    return version === 4 ? this.#ofVersion4 : this.#ofVersion6;
  }
}
