import { foldEmail } from "../../core/email.ts";
import type { Db } from "../../storage/tables.ts";
import type { UserRow } from "../../storage/schema/accounts.ts";

/** Case does not matter. */
export async function selectUserByEmail(db: Db, email: string): Promise<UserRow | undefined> {
  return db.selectFrom("users").selectAll().where("email_folded", "=", foldEmail(email)).executeTakeFirst();
}

/** The user that the store was begun with. */
export async function selectFirstUser(db: Db): Promise<UserRow | undefined> {
  return db.selectFrom("users").selectAll().orderBy("created_on").orderBy("id").limit(1).executeTakeFirst();
}
