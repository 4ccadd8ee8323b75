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
