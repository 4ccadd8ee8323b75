import { foldEmail } from "../../core/email.ts";
import type { Db, UserRow } from "../../storage/tables.ts";

export async function insertUser(db: Db, row: UserRow): Promise<void> {
  await db.insertInto("users").values(row).execute();
}

export async function updateUser(db: Db, id: string, change: Partial<UserRow>): Promise<void> {
  await db.updateTable("users").set(change).where("id", "=", id).execute();
}

export async function selectUser(db: Db, id: string): Promise<UserRow | undefined> {
  return db.selectFrom("users").selectAll().where("id", "=", id).executeTakeFirst();
}

export async function selectUserByKeyHash(db: Db, keyHash: string): Promise<UserRow | undefined> {
  return db.selectFrom("users").selectAll().where("key_hash", "=", keyHash).executeTakeFirst();
}

/** Case does not matter. */
export async function selectUserByEmail(db: Db, email: string): Promise<UserRow | undefined> {
  return db.selectFrom("users").selectAll().where("email_folded", "=", foldEmail(email)).executeTakeFirst();
}

/** The user that the store was begun with. */
export async function selectFirstUser(db: Db): Promise<UserRow | undefined> {
  return db.selectFrom("users").selectAll().orderBy("created_on").orderBy("id").limit(1).executeTakeFirst();
}
