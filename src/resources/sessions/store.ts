import type { Timestamp } from "../../storage/schema/table.ts";
import type { Db } from "../../storage/tables.ts";
import type { SignInLinkRow } from "../../storage/schema/sign-in.ts";

/** Returns whether it existed. */
export async function deleteSession(tx: Db, idHash: string): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom("sessions").where("id_hash", "=", idHash).executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function deleteSessionsOfUser(tx: Db, userId: string, exceptIdHash = ""): Promise<void> {
  await tx
    .deleteFrom("sessions")
    .where("user_id", "=", userId)
    .where("id_hash", "!=", exceptIdHash)
    .execute();
}

export async function updateSessionUse(tx: Db, idHash: string, usedOn: Timestamp): Promise<void> {
  await tx
    .updateTable("sessions")
    .set({ used_on: usedOn })
    .where("id_hash", "=", idHash)
    .where("used_on", "<", usedOn)
    .execute();
}

/** Sessions that have expired or were not used since `usedBefore`. */
export async function selectEndedSessions(
  db: Db,
  { now, usedBefore, limit }: { now: Timestamp; usedBefore: Timestamp; limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom("sessions")
    .select("id_hash")
    .where((row) => row.or([row("expires_on", "<=", now), row("used_on", "<=", usedBefore)]))
    .limit(limit)
    .execute();
  return rows.map(({ id_hash }) => id_hash);
}

export async function deleteSessions(tx: Db, idHashes: readonly string[]): Promise<void> {
  await tx
    .deleteFrom("sessions")
    .where("id_hash", "in", [...idHashes])
    .execute();
}

/** Only one of several concurrent requests gets the link. */
export async function takeSignInLink(tx: Db, tokenHash: string): Promise<SignInLinkRow | undefined> {
  return tx.deleteFrom("sign_in_links").where("token_hash", "=", tokenHash).returningAll().executeTakeFirst();
}

export async function hasExpiredSignInLinks(db: Db, now: Timestamp): Promise<boolean> {
  const row = await db
    .selectFrom("sign_in_links")
    .select("token_hash")
    .where("expires_on", "<=", now)
    .executeTakeFirst();
  return row !== undefined;
}

export async function deleteExpiredSignInLinks(tx: Db, now: Timestamp): Promise<void> {
  await tx.deleteFrom("sign_in_links").where("expires_on", "<=", now).execute();
}
