import type { Timestamp } from "../../storage/schema/table.ts";
import type { Db } from "../../storage/tables.ts";

/** Returns whether it existed. */
export async function deleteRecoveryCode(tx: Db, userId: string, codeHash: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom("recovery_codes")
    .where("user_id", "=", userId)
    .where("code_hash", "=", codeHash)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function hasExpiredChallenges(db: Db, now: Timestamp): Promise<boolean> {
  const row = await db
    .selectFrom("sign_in_challenges")
    .select("token_hash")
    .where("expires_on", "<=", now)
    .executeTakeFirst();
  return row !== undefined;
}

export async function deleteExpiredChallenges(tx: Db, now: Timestamp): Promise<void> {
  await tx.deleteFrom("sign_in_challenges").where("expires_on", "<=", now).execute();
}

/** Whether one of the accounts of which the user is a member is closed to members without a second factor. */
export async function selectIsEnforced(db: Db, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom("memberships")
    .innerJoin("accounts", "accounts.id", "memberships.account_id")
    .select("accounts.id")
    .where("memberships.user_id", "=", userId)
    .where("memberships.status", "=", "accepted")
    .where("accounts.enforces_two_factor", "=", 1)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
