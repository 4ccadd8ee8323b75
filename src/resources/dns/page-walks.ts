/** The last record of a page: its place in the ordering. */
export interface PageEnd {
  readonly key: string | number;
  readonly id: string;
}

interface Walk {
  /** What it is kept under. */
  readonly name: string;
  /** By the page that ends there. */
  readonly ends: Map<number, PageEnd>;
  usedAt: number;
}

const walksMax = 1_000;
const endsMax = 8;
const walkMsMax = 5 * 60 * 1000;

/**
 * Where the pages ended of lists that clients are walking through, so that the next page continues there: records added
 * or deleted meanwhile neither appear twice nor hide others. A page requested out of turn is found by its number. A
 * walk begins with page 1 and is forgotten after five minutes.
 */
export class PageWalks {
  readonly #walks = new Map<string, Walk>();
  readonly #now: () => Date;

  constructor(now: () => Date) {
    this.#now = now;
  }

  /** The end of the page before `page`. `walk` says who walks through which list in which pages. */
  endBefore(walk: string, page: number): PageEnd | undefined {
    const known = this.#walks.get(walk);
    if (known === undefined || page === 1 || this.#now().getTime() - known.usedAt > walkMsMax)
      return undefined;
    return known.ends.get(page - 1);
  }

  /** Remembers where a page ended; an empty one has no end. */
  remember(name: string, page: number, end: PageEnd | undefined): void {
    const walk = this.#walks.get(name) ?? { name, ends: new Map<number, PageEnd>(), usedAt: 0 };
    walk.usedAt = this.#now().getTime();
    if (page === 1) {
      for (const other of walk.ends.keys()) if (other > 1 || end === undefined) walk.ends.delete(other);
    }
    const known = walk.ends.get(page);
    // What is known stays as it is: objects that live for some hundreds of requests are what fills the heap.
    if (end !== undefined && (known?.id !== end.id || known.key !== end.key)) {
      walk.ends.set(page, { key: end.key, id: end.id });
    }
    dropOldest(walk.ends, endsMax);
    // Set anew, so that the map stays in the order of use.
    this.#walks.delete(walk.name);
    this.#walks.set(walk.name, walk);
    dropOldest(this.#walks, walksMax);
  }
}

function dropOldest<Key>(map: Map<Key, unknown>, sizeMax: number): void {
  if (map.size <= sizeMax) return;
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
}
