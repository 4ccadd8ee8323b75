import type { SelectQueryBuilder } from "kysely";

import type { PageRequest, Page } from "../../core/page.ts";
import type { IdSet } from "../../core/policy/visibility.ts";
import { isIn } from "../../storage/columns.ts";
import type { AccountRow, Db, MembershipRow, Tables } from "../../storage/tables.ts";

export type MembershipWithAccount = MembershipRow & {
  readonly account_name: string;
  readonly account_created_on: AccountRow["created_on"];
};

export async function insertAccount(db: Db, row: AccountRow): Promise<void> {
  await db.insertInto("accounts").values(row).execute();
}

export async function insertMembership(db: Db, row: MembershipRow): Promise<void> {
  await db.insertInto("memberships").values(row).execute();
}

/** The accepted memberships of a user, the oldest first. */
export async function selectAcceptedMemberships(db: Db, userId: string): Promise<MembershipRow[]> {
  return db
    .selectFrom("memberships")
    .selectAll()
    .where("user_id", "=", userId)
    .where("status", "=", "accepted")
    .orderBy("created_on")
    .orderBy("id")
    .execute();
}

export async function selectAccount(db: Db, id: string): Promise<AccountRow | undefined> {
  return db.selectFrom("accounts").selectAll().where("id", "=", id).executeTakeFirst();
}

export async function selectAccounts(
  db: Db,
  readable: IdSet,
  filter: { readonly name: string | undefined },
  page: PageRequest<"name" | "id">,
): Promise<Page<AccountRow>> {
  let query = db.selectFrom("accounts").where((expression) => isIn(expression.ref("id"), readable));
  if (filter.name !== undefined) query = query.where("name_folded", "=", filter.name.toLowerCase());
  const items = await query
    .selectAll()
    .orderBy(page.order === "name" ? "name_folded" : "id", page.direction)
    .orderBy("id", page.direction)
    .limit(page.perPage)
    .offset((page.page - 1) * page.perPage)
    .execute();
  return { items, totalCount: await countOf(query) };
}

const membershipOrdering = {
  id: "memberships.id",
  "account.name": "accounts.name_folded",
  status: "memberships.status",
} as const;

export async function selectMemberships(
  db: Db,
  userId: string,
  filter: { readonly accountName: string | undefined; readonly status: MembershipRow["status"] | undefined },
  page: PageRequest<keyof typeof membershipOrdering>,
): Promise<Page<MembershipWithAccount>> {
  let query = db
    .selectFrom("memberships")
    .innerJoin("accounts", "accounts.id", "memberships.account_id")
    .where("user_id", "=", userId);
  if (filter.accountName !== undefined)
    query = query.where("name_folded", "=", filter.accountName.toLowerCase());
  if (filter.status !== undefined) query = query.where("status", "=", filter.status);
  const items = await query
    .selectAll("memberships")
    .select(["accounts.name as account_name", "accounts.created_on as account_created_on"])
    .orderBy(membershipOrdering[page.order], page.direction)
    .orderBy("memberships.id", page.direction)
    .limit(page.perPage)
    .offset((page.page - 1) * page.perPage)
    .execute();
  return { items, totalCount: await countOf(query) };
}

async function countOf<From extends keyof Tables>(
  query: SelectQueryBuilder<Tables, From, object>,
): Promise<number> {
  const row = await query
    .select((expression) => expression.fn.countAll().as("total"))
    .executeTakeFirstOrThrow();
  return Number(row.total);
}
