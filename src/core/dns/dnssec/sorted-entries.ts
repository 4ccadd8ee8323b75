const chunkMax = 512;

interface Entry {
  readonly key: string;
}

/**
 * Entries sorted by key, in chunks of bounded size: an insertion moves few entries however long the list is.
 */
export class SortedEntries<Of extends Entry> {
  readonly #chunks: Of[][] = [[]];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  at(key: string): Of | undefined {
    const found = this.atOrBefore(key);
    return found?.key === key ? found : undefined;
  }

  /** The entry of that key, else the last one before it. */
  atOrBefore(key: string): Of | undefined {
    const { chunk, index } = this.#place(key);
    return chunk[index]?.key === key ? chunk[index] : this.#before(key);
  }

  /** The last entry before a key; before the first one, the last of all. */
  previous(key: string): Of | undefined {
    return this.#before(key) ?? this.#chunks.at(-1)?.at(-1);
  }

  /** The first entry after a key; after the last one, the first of all. */
  next(key: string): Of | undefined {
    const { chunk, index, chunkIndex } = this.#place(key);
    const at = chunk[index]?.key === key ? index + 1 : index;
    return chunk[at] ?? this.#chunks[chunkIndex + 1]?.[0] ?? this.#chunks[0]?.[0];
  }

  set(entry: Of): void {
    const { chunk, index, chunkIndex } = this.#place(entry.key);
    const isKnown = chunk[index]?.key === entry.key;
    chunk.splice(index, isKnown ? 1 : 0, entry);
    if (isKnown) return;
    this.#size += 1;
    if (chunk.length > chunkMax) this.#chunks.splice(chunkIndex + 1, 0, chunk.splice(chunkMax / 2));
  }

  delete(key: string): boolean {
    const { chunk, index, chunkIndex } = this.#place(key);
    if (chunk[index]?.key !== key) return false;
    chunk.splice(index, 1);
    if (chunk.length === 0 && this.#chunks.length > 1) this.#chunks.splice(chunkIndex, 1);
    this.#size -= 1;
    return true;
  }

  #before(key: string): Of | undefined {
    const { chunk, index, chunkIndex } = this.#place(key);
    return index > 0 ? chunk[index - 1] : this.#chunks[chunkIndex - 1]?.at(-1);
  }

  /** The place of the key, or of its insertion. */
  #place(key: string): { readonly chunk: Of[]; readonly index: number; readonly chunkIndex: number } {
    const chunkIndex = Math.max(
      0,
      firstWhere(this.#chunks.length, (at) => (this.#chunks[at]?.[0]?.key ?? "") > key) - 1,
    );
    const chunk = this.#chunks[chunkIndex] ?? [];
    return { chunk, chunkIndex, index: firstWhere(chunk.length, (at) => (chunk[at]?.key ?? "") >= key) };
  }
}

/**
 * Binary search: the least number below `count` for which `holds` is true, `count` if there is none. `holds`
 * must stay true once it is.
 */
function firstWhere(count: number, holds: (at: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
