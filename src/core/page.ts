import type { JsonTextList } from "./json-text.ts";

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

/** The same, with its items as JSON text. */
export interface JsonPage {
  readonly items: JsonTextList;
  readonly totalCount: number;
  /** Whether the very same page will answer this request again, so that its rendering is worth keeping. */
  readonly isKept?: boolean;
}
