import type { Db, UserRow } from "../../storage/tables.ts";

export async function insertUser(db: Db, row: UserRow): Promise<void> {
  await db.insertInto("users").values(row).execute();
}

export async function updateUserKey(
  db: Db,
  id: string,
  key_hash: string,
  modified_on: UserRow["modified_on"],
): Promise<void> {
  await db.updateTable("users").set({ key_hash, modified_on }).where("id", "=", id).execute();
}

export async function selectUser(db: Db, id: string): Promise<UserRow | undefined> {
  return db.selectFrom("users").selectAll().where("id", "=", id).executeTakeFirst();
}

export async function selectUserByKeyHash(db: Db, keyHash: string): Promise<UserRow | undefined> {
  return db.selectFrom("users").selectAll().where("key_hash", "=", keyHash).executeTakeFirst();
}

/** Case does not matter. */
export async function selectUserByEmail(db: Db, email: string): Promise<UserRow | undefined> {
  return db
    .selectFrom("users")
    .selectAll()
    .where(({ eb, fn }) => eb(fn<string>("lower", ["email"]), "=", email.toLowerCase()))
    .executeTakeFirst();
}

/** The user that the store was begun with. */
export async function selectFirstUser(db: Db): Promise<UserRow | undefined> {
  return db.selectFrom("users").selectAll().orderBy("created_on").orderBy("id").limit(1).executeTakeFirst();
}
