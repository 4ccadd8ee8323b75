/** One page of a list, as a client asks for it (docs/contract/paging.md). */
export interface PageRequest<Ordering extends string = string> {
  /** From 1. */
  readonly page: number;
  readonly perPage: number;
  readonly order: Ordering;
  readonly direction: "asc" | "desc";
}

/** One page as an operation answers it. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** Results in all pages. */
  readonly totalCount: number;
}

/** One page of a list that is at hand whole, ordered by one of `keys`; equal ones stay in their order. */
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
