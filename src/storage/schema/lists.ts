import type { Caller } from "../../core/policy/caller.ts";
import type { ListChange, ListItemValue } from "../../core/lists/items.ts";
import type { ListKind } from "../../core/lists/kinds.ts";
import { integer, json, nullable, reference, table, text, timestamp, type Row } from "./table.ts";

export const listTables = {
  lists: table(
    {
      id: text(),
      account_id: reference("accounts", "cascade"),
      kind: text<ListKind>(),
      /** Unique in the account. */
      name: text(),
      /** Null where none was sent. */
      description: nullable(text()),
      /** Updated with every change of the items, so that nobody need count rows. */
      item_count: integer(),
      /** Goes up with every change of the items. */
      items_version: integer(),
      created_on: timestamp(),
      /** The time of the last change of the list or its items. */
      modified_on: timestamp(),
    },
    { indexes: [{ on: ["account_id", "name"], isUnique: true }] },
  ),
  list_items: table(
    {
      id: text(),
      list_id: reference("lists", "cascade"),
      /** Unique in the list, and what its items are sorted by. */
      item_key: text(),
      /** In the form of API answers. */
      value: json<ListItemValue>(),
      /** Null where none was sent. */
      comment: nullable(text()),
      /** The text that a search looks at, in lower case. */
      searched: text(),
      created_on: timestamp(),
      modified_on: timestamp(),
    },
    { indexes: [{ on: ["list_id", "item_key"], isUnique: true }] },
  ),
  /** A change of the items of a list. At most one of an account has not ended. */
  list_operations: table(
    {
      id: text(),
      account_id: reference("accounts", "cascade"),
      /** May have been deleted since. */
      list_id: text(),
      status: text<"pending" | "running" | "completed" | "failed">(),
      /** Null unless it failed. */
      error: nullable(text()),
      /** The items to change, and who asked for it; null once it has ended. */
      change: nullable(json<ListChange>()),
      requested_by: nullable(json<Pick<Caller, "user" | "credential" | "address">>()),
      created_on: timestamp(),
      ended_on: nullable(timestamp()),
    },
    { indexes: [{ on: ["account_id", "created_on"] }] },
  ),
  /** The references of a ruleset or a filter to a list, by name; the list need not exist. */
  list_references: table(
    {
      /** The ruleset or the filter; the other one of the two columns below is null. */
      referrer_id: text(),
      list_name: text(),
      account_id: reference("accounts", "cascade"),
      ruleset_id: nullable(reference("rulesets", "cascade")),
      filter_id: nullable(reference("filters", "cascade")),
      /** Number of rules that refer to it; 1 for a filter. */
      uses: integer(),
    },
    {
      key: ["referrer_id", "list_name"],
      indexes: [{ on: ["account_id", "list_name"] }, { on: ["ruleset_id"] }, { on: ["filter_id"] }],
    },
  ),
};

export type ListRow = Row<typeof listTables.lists>;
export type ListItemRow = Row<typeof listTables.list_items>;
export type ListOperationRow = Row<typeof listTables.list_operations>;
export type ListReferenceRow = Row<typeof listTables.list_references>;
