import type { Zone } from "../../../../src/resources/zones/schema.ts";
import { readListSearch, textOf, type ListSearch } from "../../components/list-search.ts";

export interface HomeSearch extends ListSearch {
  readonly account?: string | undefined;
  readonly status?: Zone["status"] | undefined;
  /** Whether the form that adds a zone is open. */
  readonly add?: true | undefined;
}

export const zoneStatuses = [
  "active",
  "pending",
  "initializing",
  "moved",
] as const satisfies Zone["status"][];

/** Reads it from the address, and leaves out whatever has no sense. */
export function readHomeSearch(search: Readonly<Record<string, unknown>>): HomeSearch {
  const account = textOf(search["account"]);
  const status = zoneStatuses.find((known) => known === search["status"]);
  return {
    ...readListSearch(search),
    ...(account !== undefined && { account }),
    ...(status !== undefined && { status }),
    ...(search["add"] === true && { add: true }),
  };
}
