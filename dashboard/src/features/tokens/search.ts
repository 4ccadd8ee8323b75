import { readListSearch, type ListSearch } from "../../components/list-search.ts";

export interface TokensSearch extends ListSearch {
  /** Whether expired tokens are listed too. */
  readonly expired?: boolean | undefined;
}

/** Reads it from the address, and leaves out whatever has no sense. */
export function readTokensSearch(search: Readonly<Record<string, unknown>>): TokensSearch {
  return {
    ...readListSearch(search),
    ...(search["expired"] === true && { expired: true }),
  };
}
