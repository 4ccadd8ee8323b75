import { readListSearch, textOf, type ListSearch } from "../../components/list-search.ts";

export interface ManagedRulesSearch extends ListSearch {
  /** Which version is shown while the zone has both. */
  readonly version?: "new" | "previous" | undefined;
  /** Of the previous version: a package, and a group of it. */
  readonly package?: string | undefined;
  readonly group?: string | undefined;
}

/** Reads it from the address, and leaves out whatever has no sense. */
export function readManagedRulesSearch(search: Readonly<Record<string, unknown>>): ManagedRulesSearch {
  const { version } = search;
  const packageId = textOf(search["package"]);
  const group = textOf(search["group"]);
  return {
    ...readListSearch(search),
    ...((version === "new" || version === "previous") && { version }),
    ...(packageId !== undefined && { package: packageId }),
    ...(group !== undefined && { group }),
  };
}
