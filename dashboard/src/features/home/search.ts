import { readListSearch, textOf, type ListSearch } from "../../components/list-search.ts";

export interface HomeSearch extends ListSearch {
  /** Only the zones of this account. */
  readonly account?: string | undefined;
  /** Whether the form that adds a zone is open. */
  readonly add?: true | undefined;
}

/** Reads it from the address, and leaves out whatever has no sense. */
export function readHomeSearch(search: Readonly<Record<string, unknown>>): HomeSearch {
  const account = textOf(search["account"]);
  return {
    ...readListSearch(search),
    ...(account !== undefined && { account }),
    ...(search["add"] === true && { add: true }),
  };
}
