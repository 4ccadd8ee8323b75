import type { ListCounts } from "../../core/lists/limits.ts";
import type { Db } from "../../storage/tables.ts";
import type { ListRow } from "../../storage/schema/lists.ts";

/** A list and how many rules and filters name it. */
export type ShownList = ListRow & { readonly uses: number };

/** All of an account, the oldest first: the plan bounds them. */
export async function selectLists(db: Db, accountId: string): Promise<ShownList[]> {
  return shown(await usedLists(db, accountId).orderBy("lists.id").execute());
}

export async function selectList(db: Db, accountId: string, id: string): Promise<ShownList | undefined> {
  const [list] = shown(await usedLists(db, accountId).where("lists.id", "=", id).execute());
  return list;
}

/** The list, which no rule begins to name until the transaction ends. */
export async function lockList(tx: Db, accountId: string, id: string): Promise<void> {
  await tx
    .selectFrom("lists")
    .select("id")
    .where("account_id", "=", accountId)
    .where("id", "=", id)
    .forUpdate()
    .execute();
}

export async function selectItemsVersion(db: Db, id: string): Promise<number | undefined> {
  const row = await db.selectFrom("lists").select("items_version").where("id", "=", id).executeTakeFirst();
  return row?.items_version;
}

const namesAtOnce = 500;

/** Those lists that the account has; nobody deletes them until the transaction ends. */
export async function selectNamedLists(
  tx: Db,
  accountId: string,
  names: readonly string[],
): Promise<Pick<ListRow, "name" | "kind">[]> {
  const lists: Pick<ListRow, "name" | "kind">[] = [];
  for (let from = 0; from < names.length; from += namesAtOnce) {
    const some = await tx
      .selectFrom("lists")
      .select(["name", "kind"])
      .where("account_id", "=", accountId)
      .where("name", "in", names.slice(from, from + namesAtOnce))
      .forKeyShare()
      .execute();
    lists.push(...some);
  }
  return lists;
}

export async function selectListCounts(db: Db, accountId: string): Promise<ListCounts> {
  const rows = await db
    .selectFrom("lists")
    .where("account_id", "=", accountId)
    .groupBy("kind")
    .select(({ fn }) => ["kind", fn.countAll().as("lists"), fn.sum("item_count").as("items")])
    .execute();
  return new Map(
    rows.map(({ kind, lists, items }) => [kind, { lists: Number(lists), items: Number(items) }]),
  );
}

function usedLists(db: Db, accountId: string) {
  return db
    .selectFrom("lists")
    .selectAll("lists")
    .select(({ selectFrom }) =>
      selectFrom("list_references")
        .whereRef("list_references.account_id", "=", "lists.account_id")
        .whereRef("list_references.list_name", "=", "lists.name")
        .select(({ fn }) => fn.sum("list_references.uses").as("sum"))
        .as("uses"),
    )
    .where("lists.account_id", "=", accountId);
}

function shown(rows: readonly (ListRow & { readonly uses: unknown })[]): ShownList[] {
  return rows.map((row) => ({ ...row, uses: Number(row.uses ?? 0) }));
}
