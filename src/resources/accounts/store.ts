import type { Page, PageRequest } from "../../core/page.ts";
import type { IdSet } from "../../core/policy/visibility.ts";
import { isIn } from "../../storage/columns.ts";
import { selectPage } from "../../storage/page.ts";
import type { AccountRow, Db } from "../../storage/tables.ts";

export async function insertAccount(db: Db, row: AccountRow): Promise<void> {
  await db.insertInto("accounts").values(row).execute();
}

export async function updateAccount(
  db: Db,
  { id, name, name_folded, abuse_contact_email }: AccountRow,
): Promise<void> {
  await db
    .updateTable("accounts")
    .set({ name, name_folded, abuse_contact_email })
    .where("id", "=", id)
    .execute();
}

export async function deleteAccountRow(db: Db, id: string): Promise<void> {
  await db.deleteFrom("accounts").where("id", "=", id).execute();
}

export async function selectAccount(db: Db, id: string): Promise<AccountRow | undefined> {
  return db.selectFrom("accounts").selectAll().where("id", "=", id).executeTakeFirst();
}

/** The account, which nobody deletes until the transaction ends. */
export async function selectAccountForReference(tx: Db, id: string): Promise<AccountRow | undefined> {
  return tx.selectFrom("accounts").selectAll().where("id", "=", id).forKeyShare().executeTakeFirst();
}

export async function selectAccountsByName(db: Db, name: string): Promise<AccountRow[]> {
  return db.selectFrom("accounts").selectAll().where("name_folded", "=", name.toLowerCase()).execute();
}

export async function selectAccounts(
  db: Db,
  readable: IdSet,
  filter: { readonly name: string | undefined },
  page: PageRequest<"name" | "id">,
): Promise<Page<AccountRow>> {
  let query = db.selectFrom("accounts").where((expression) => isIn(expression.ref("id"), readable));
  if (filter.name !== undefined) query = query.where("name_folded", "=", filter.name.toLowerCase());
  return selectPage(
    query
      .selectAll()
      .orderBy(page.order === "name" ? "name_folded" : "id", page.direction)
      .orderBy("id", page.direction),
    page,
  );
}
