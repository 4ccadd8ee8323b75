/** The page of a list that a client requests (docs/contract/paging.md). */
export interface PageRequest<Ordering extends string = string> {
  /** From 1. */
  readonly page: number;
  readonly perPage: number;
  readonly order: Ordering;
  readonly direction: "asc" | "desc";
}

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly totalCount: number;
}

/** One page of a list in memory, ordered by one of `keys`; the sort is stable. */
export function pageOf<Item, Ordering extends string>(
  items: readonly Item[],
  { page, perPage, order, direction }: PageRequest<Ordering>,
  keys: Readonly<Record<Ordering, (item: Item) => string | number>>,
): Page<Item> {
  const key = keys[order];
  const sign = direction === "asc" ? 1 : -1;
  const ordered = items.toSorted((one, other) => {
    const [left, right] = [key(one), key(other)];
    return left < right ? -sign : left > right ? sign : 0;
  });
  return { items: ordered.slice((page - 1) * perPage, page * perPage), totalCount: items.length };
}

/** One part of a list, positioned by a cursor (docs/contract/paging.md#cursors). */
export interface CursorRequest {
  readonly perPage: number;
  /** The key after or before which the page lies; without both it is the first. */
  readonly after?: string;
  readonly before?: string;
}

/**
 * One part of such a list. The keys are those of its last and first item, if there are more items after and
 * before.
 */
export interface CursorPage<Item> {
  readonly items: readonly Item[];
  readonly after: string | undefined;
  readonly before: string | undefined;
}
