import { readListSearch, textsOf, type ListSearch } from "../../components/list-search.ts";

export interface AuditLogSearch extends ListSearch {
  readonly action?: string | undefined;
  readonly actor?: string | undefined;
  readonly zone?: string | undefined;
  /** Dates, `2026-01-31`; both are included. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

/** Reads it from the address, and leaves out whatever has no sense. */
export function readAuditLogSearch(search: Readonly<Record<string, unknown>>): AuditLogSearch {
  return {
    ...readListSearch(search),
    ...textsOf(search, ["action", "actor", "zone", "since", "until"]),
  };
}
