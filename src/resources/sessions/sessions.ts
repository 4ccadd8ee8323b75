import { hashSecret } from "../../secrets/secrets.ts";
import { toTimestamp } from "../../storage/columns.ts";
import type { Context } from "../../operation/context.ts";
import { findUser, findUserByEmail } from "../users/users.ts";
import { deviceOf } from "./device-cookies.ts";
import { wrongPassword } from "./own-password.ts";
import type { KnownClient } from "./password-guard.ts";
import type { Session, SignInBody } from "./schema.ts";
import {
  beforeIdling,
  endSessionOf,
  recordForUser,
  requireSession,
  startSession,
  type Browser,
  type SessionContext,
  type SessionTerms,
  type SessionUse,
  type StartedSession,
} from "./session.ts";
import {
  deleteExpiredSignInLinks,
  deleteSession,
  deleteSessions,
  hasExpiredSignInLinks,
  lockPassword,
  selectEndedSessions,
  selectPassword,
  selectSession,
  updateSessionUse,
} from "./store.ts";

export { changeApiKey, viewApiKey } from "./api-key.ts";
export { changePassword, setFirstPassword } from "./change-password.ts";
export { createPasswordGuard } from "./password-guard.ts";
export {
  findSession,
  isInForce,
  noSession,
  type SessionContext,
  type SessionTerms,
  type SessionUse,
} from "./session.ts";
export { addFirstSignInLink, createSignInLink, signInLink } from "./sign-in-links.ts";

/**
 * Begins a session in a browser, in place of the one that it may have.
 * Errors: 403 code 10411 for a wrong password as for an unknown e-mail; 429 code 10429.
 */
export async function signIn(
  context: SessionContext,
  browser: Browser,
  { email, password }: SignInBody,
): Promise<StartedSession> {
  const { db, passwordGuard } = context;
  const user = await findUserByEmail(db.read, email);
  const hash = (await selectPassword(db.read, user?.id ?? ""))?.hash;
  const client = { address: browser.address, known: user && knownByDevice(context, browser, user.id) };
  const isRight = await passwordGuard.verify({ client, email, password, hash });
  if (!isRight || user === undefined) throw wrongPassword("Wrong e-mail or password");
  const started = await db.transaction(async (tx) => {
    // The password may have been changed while it was looked at.
    if ((await lockPassword(tx, user.id)) !== hash) throw wrongPassword("Wrong e-mail or password");
    await endSessionOf(tx, browser);
    const session = await startSession(context, tx, user);
    await recordForUser(context, tx, browser, user, "sign_in");
    return session;
  });
  passwordGuard.signedIn(browser.address, email);
  context.forgetCallers();
  return started;
}

function knownByDevice(
  context: SessionContext,
  { deviceCookie }: Browser,
  userId: string,
): KnownClient | undefined {
  const device = deviceOf(context, userId, deviceCookie);
  return device === undefined ? undefined : { userId, proof: `device ${device}` };
}

/** Who is signed in; it does not count as use of the session. Errors: 401 code 10401. */
export async function getSession(context: SessionContext, browser: Browser): Promise<Session> {
  return (await requireSession(context, browser)).session;
}

/** Ends the browser's session, where it has one. */
export async function signOut(context: SessionContext, browser: Browser): Promise<void> {
  const idHash = hashSecret(browser.sessionId ?? "");
  const row = await selectSession(context.db.read, idHash);
  if (row === undefined) return;
  await context.db.transaction(async (tx) => {
    const user = await findUser(tx, row.user_id);
    if (!(await deleteSession(tx, idHash)) || user === undefined) return;
    await recordForUser(context, tx, browser, user, "sign_out");
  });
  context.sessionUse.delete(idHash);
  context.forgetCallers();
}

const prunedAtOnce = 500;

/** Deletes sessions that have ended and links that have expired. For a timer. */
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
  if (ended.length === 0 && !hasExpiredLinks) return;
  await db.transaction(async (tx) => {
    if (ended.length > 0) await deleteSessions(tx, ended);
    await deleteExpiredSignInLinks(tx, time);
  });
}

/**
 * Writes when sessions were used, and forgets what is written. In one order, so that instances do not wait for each
 * other.
 */
export async function saveSessionUse({ db }: Pick<Context, "db">, use: SessionUse): Promise<void> {
  if (use.size === 0) return;
  const noted = [...use].toSorted(([one], [other]) => (one < other ? -1 : 1));
  await db.transaction(async (tx) => {
    for (const [idHash, usedOn] of noted) await updateSessionUse(tx, idHash, toTimestamp(usedOn));
  });
  for (const [idHash, usedOn] of noted) if (use.get(idHash) === usedOn) use.delete(idHash);
}
