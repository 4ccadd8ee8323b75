import type { Db } from "../../storage/tables.ts";
import type { MembershipRow, ResourceGroupRow } from "../../storage/schema/accounts.ts";
import { countRows } from "../../storage/page.ts";

/** Those of an account, in the order of their names. */
export async function selectResourceGroups(
  db: Db,
  accountId: string,
  filter: { readonly id?: string | undefined; readonly name?: string | undefined },
): Promise<ResourceGroupRow[]> {
  let query = db.selectFrom("resource_groups").selectAll().where("account_id", "=", accountId);
  if (filter.id !== undefined) query = query.where("id", "=", filter.id);
  if (filter.name !== undefined) query = query.where("name", "=", filter.name);
  return query.orderBy("name").orderBy("id").execute();
}

export async function selectResourceGroupsById(db: Db, ids: readonly string[]): Promise<ResourceGroupRow[]> {
  if (ids.length === 0) return [];
  return db.selectFrom("resource_groups").selectAll().where("id", "in", ids).execute();
}

export async function countResourceGroups(db: Db, accountId: string): Promise<number> {
  return countRows(db.selectFrom("resource_groups").where("account_id", "=", accountId));
}

/** The members and invites of an account that have policies. */
export async function selectMembershipsWithPolicies(db: Db, accountId: string): Promise<MembershipRow[]> {
  return db
    .selectFrom("memberships")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("policies", "is not", null)
    .execute();
}
