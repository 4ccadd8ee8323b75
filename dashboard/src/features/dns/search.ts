import { readListSearch, textOf, type ListSearch } from "../../components/list-search.ts";

export interface DnsSearch extends ListSearch {
  /** One type or a comma list of them. */
  readonly type?: string | undefined;
  readonly proxied?: boolean | undefined;
  /** Whether the form that adds a record is open. */
  readonly add?: true | undefined;
}

/** Reads it from the address, and leaves out whatever has no sense. */
export function readDnsSearch(search: Readonly<Record<string, unknown>>): DnsSearch {
  const type = textOf(search["type"]);
  const { proxied } = search;
  return {
    ...readListSearch(search),
    ...(type !== undefined && { type }),
    ...(typeof proxied === "boolean" && { proxied }),
    ...(search["add"] === true && { add: true }),
  };
}
