import type { Context } from "../../operation/context.ts";
import { toTimestamp } from "../../storage/columns.ts";
import { deleteExpiredChallenges, hasExpiredChallenges, forgetFactors } from "../two-factor/two-factor.ts";
import { beforeIdling, type SessionTerms, type SessionUse } from "./session.ts";
import {
  deleteExpiredSignInLinks,
  deleteSessions,
  hasExpiredSignInLinks,
  selectEndedSessions,
  updateSessionUse,
} from "./store.ts";
import type { Actor } from "../../operation/audit.ts";
import { unitOfWork } from "../../operation/unit-of-work.ts";
import { lockUserOfEmail } from "./sign-in-links.ts";

export { createPasswordGuard } from "./password-guard.ts";
export { refuseShortPassword } from "./passwords.ts";
export { newPassword, Session } from "./schema.ts";
export {
  changeAccess,
  endSessionOf,
  findSession,
  isInForce,
  noSession,
  startSession,
  type SessionContext,
  type SessionTerms,
  type SessionUse,
} from "./session.ts";
export { lacksFactor, secondFactorNeeded } from "./session.ts";

export { addFirstSignInLink, createSignInLink, signInLink } from "./sign-in-links.ts";

const prunedAtOnce = 500;

/** Deletes ended sessions and expired links; called by a timer. */
export async function pruneSessions(
  { db, now }: Pick<Context, "db" | "now">,
  { idleMs }: SessionTerms,
): Promise<void> {
  const time = toTimestamp(now());
  const ended = await selectEndedSessions(db.read, {
    now: time,
    usedBefore: beforeIdling(now(), idleMs),
    limit: prunedAtOnce,
  });
  const hasExpiredLinks = await hasExpiredSignInLinks(db.read, time);
  const hasOldChallenges = await hasExpiredChallenges(db.read, time);
  if (ended.length === 0 && !hasExpiredLinks && !hasOldChallenges) return;
  await db.transaction(async (tx) => {
    if (ended.length > 0) await deleteSessions(tx, ended);
    await deleteExpiredSignInLinks(tx, time);
    await deleteExpiredChallenges(tx, time);
  });
}

/** Stores the last use of sessions, sorted so that instances cannot deadlock. */
export async function saveSessionUse({ db }: Pick<Context, "db">, use: SessionUse): Promise<void> {
  if (use.size === 0) return;
  const noted = [...use].toSorted(([one], [other]) => (one < other ? -1 : 1));
  await db.transaction(async (tx) => {
    for (const [idHash, usedOn] of noted) await updateSessionUse(tx, idHash, toTimestamp(usedOn));
  });
  for (const [idHash, usedOn] of noted) if (use.get(idHash) === usedOn) use.delete(idHash);
}

/** Takes the second factors of a user away. Returns whether there were any. Errors: 404 code 1001. */
export async function resetTwoFactor(context: Context, actor: Actor, email: string): Promise<boolean> {
  return unitOfWork(
    context,
    actor,
    (tx) => lockUserOfEmail(tx, email),
    async ({ tx, user, audit }) => {
      if (user.second_factor_since === null) return false;
      await forgetFactors(tx, user.id);
      audit({ action: "two_factor_reset", id: user.id });
      return true;
    },
  );
}
