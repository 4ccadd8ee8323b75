import type { Db, TokenRow } from "../../storage/tables.ts";

export async function insertToken(db: Db, row: TokenRow): Promise<void> {
  await db.insertInto("tokens").values(row).execute();
}

export async function updateTokenSecret(
  db: Db,
  id: string,
  change: Pick<TokenRow, "secret_hash" | "modified_on">,
): Promise<void> {
  await db.updateTable("tokens").set(change).where("id", "=", id).execute();
}

export async function selectTokenBySecretHash(db: Db, secretHash: string): Promise<TokenRow | undefined> {
  return db.selectFrom("tokens").selectAll().where("secret_hash", "=", secretHash).executeTakeFirst();
}

export async function selectTokenByName(db: Db, userId: string, name: string): Promise<TokenRow | undefined> {
  return db
    .selectFrom("tokens")
    .selectAll()
    .where("user_id", "=", userId)
    .where("name", "=", name)
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
}
