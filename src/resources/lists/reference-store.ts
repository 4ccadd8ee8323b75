import type { Db } from "../../storage/tables.ts";
import type { ListRow } from "../../storage/schema/lists.ts";

/** Rulesets of an account, and the filters of a zone. */
export interface Referrers {
  readonly accountId: string;
  readonly zoneId: string;
  readonly rulesetIds: readonly string[];
}

/** A list that rules name. */
export type ReferredList = Pick<ListRow, "id" | "name" | "kind" | "item_count" | "items_version">;

/** The lists of an account to which any ruleset or filter refers. */
export async function selectListsInUse(db: Db, accountId: string): Promise<ReferredList[]> {
  return db
    .selectFrom("lists")
    .select(["id", "name", "kind", "item_count", "items_version"])
    .where("account_id", "=", accountId)
    .where("name", "in", ({ selectFrom }) =>
      selectFrom("list_references").select("list_name").where("account_id", "=", accountId),
    )
    .execute();
}

/** The lists of the account to which they refer. */
export async function selectReferredLists(
  db: Db,
  { accountId, zoneId, rulesetIds }: Referrers,
): Promise<ReferredList[]> {
  return db
    .selectFrom("lists")
    .select(["id", "name", "kind", "item_count", "items_version"])
    .where("account_id", "=", accountId)
    .where("name", "in", ({ selectFrom }) =>
      selectFrom("list_references")
        .select("list_name")
        .where("account_id", "=", accountId)
        .where(({ eb, or, selectFrom: from }) =>
          or([
            ...(rulesetIds.length === 0 ? [] : [eb("ruleset_id", "in", rulesetIds)]),
            eb("filter_id", "in", from("filters").select("id").where("zone_id", "=", zoneId)),
          ]),
        ),
    )
    .execute();
}
