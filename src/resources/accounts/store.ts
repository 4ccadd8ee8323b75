import type { Page, PageRequest } from "../../core/page.ts";
import type { IdSet } from "../../core/policy/visibility.ts";
import { isIn } from "../../storage/columns.ts";
import { selectPage } from "../../storage/page.ts";
import type { Db } from "../../storage/tables.ts";
import type { AccountRow } from "../../storage/schema/accounts.ts";

/** The account, which cannot be deleted until the transaction ends. */
export async function selectAccountForReference(tx: Db, id: string): Promise<AccountRow | undefined> {
  return tx.selectFrom("accounts").selectAll().where("id", "=", id).forKeyShare().executeTakeFirst();
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
