import type { Caller } from "../../core/caller.ts";
import type { ListChange } from "../../core/lists/change.ts";
import type { ListItemValue } from "../../core/lists/items.ts";
import type { ListKind } from "../../core/lists/kinds.ts";
import type { Json, Timestamp } from "../columns.ts";

/** A list of an account, which expressions name. */
export interface ListRow {
  id: string;
  account_id: string;
  kind: ListKind;
  /** Unique in the account. */
  name: string;
  /** Null where none was sent. */
  description: string | null;
  /** Updated with every change of the items, so that nobody need count rows. */
  item_count: number;
  /** Goes up with every change of the items. */
  items_version: number;
  created_on: Timestamp;
  /** When the list or its items last changed. */
  modified_on: Timestamp;
}

export interface ListItemRow {
  id: string;
  list_id: string;
  /** Unique in the list, and what its items are sorted by. */
  item_key: string;
  /** As the API answers it. */
  value: Json<ListItemValue>;
  /** Null where none was sent. */
  comment: string | null;
  /** What a search looks at, in lower case. */
  searched: string;
  created_on: Timestamp;
  modified_on: Timestamp;
}

/** A change of the items of a list. At most one of an account has not ended. */
export interface ListOperationRow {
  id: string;
  account_id: string;
  /** May have been deleted since. */
  list_id: string;
  status: "pending" | "running" | "completed" | "failed";
  /** Why it failed. */
  error: string | null;
  /** What is to be done, and who asked for it; null once it has ended. */
  change: Json<ListChange> | null;
  requested_by: Json<Pick<Caller, "user" | "credential" | "address">> | null;
  created_on: Timestamp;
  ended_on: Timestamp | null;
}

/** The references of a ruleset or a filter to a list, by name; the list need not exist. */
export interface ListReferenceRow {
  /** Of the ruleset or the filter; the other one of the two columns below is null. */
  referrer_id: string;
  list_name: string;
  account_id: string;
  ruleset_id: string | null;
  filter_id: string | null;
  /** Number of rules that refer to it; 1 for a filter. */
  uses: number;
}
