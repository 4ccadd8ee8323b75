import type { Timestamp } from "../../storage/columns.ts";
import type { Db } from "../../storage/tables.ts";
import type { SignInChallengeRow } from "../../storage/tables/sign-in.ts";

/** Returns whether it existed. */
export async function deleteRecoveryCode(tx: Db, userId: string, codeHash: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom("recovery_codes")
    .where("user_id", "=", userId)
    .where("code_hash", "=", codeHash)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function insertRecoveryCodes(tx: Db, userId: string, hashes: readonly string[]): Promise<void> {
  const rows = hashes.map((code_hash) => ({ user_id: userId, code_hash }));
  await tx.insertInto("recovery_codes").values(rows).execute();
}

export async function countRecoveryCodes(db: Db, userId: string): Promise<number> {
  const rows = await db
    .selectFrom("recovery_codes")
    .select("code_hash")
    .where("user_id", "=", userId)
    .execute();
  return rows.length;
}

export async function deleteChallenge(tx: Db, tokenHash: string): Promise<void> {
  await tx.deleteFrom("sign_in_challenges").where("token_hash", "=", tokenHash).execute();
}

export async function deleteChallengesOfUser(
  tx: Db,
  userId: string,
  purpose?: SignInChallengeRow["purpose"],
): Promise<void> {
  let query = tx.deleteFrom("sign_in_challenges").where("user_id", "=", userId);
  if (purpose !== undefined) query = query.where("purpose", "=", purpose);
  await query.execute();
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
