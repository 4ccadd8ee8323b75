import { AppError } from "../../core/error.ts";
import { hashSecret } from "../../secrets/secrets.ts";
import { toTimestamp } from "../../storage/columns.ts";
import { findUser } from "../users/users.ts";
import { knownBySession, verifyOwnPassword, wrongPassword } from "./own-password.ts";
import { refuseShortPassword } from "./passwords.ts";
import type { ChangePasswordBody, FirstSignInBody, Session } from "./schema.ts";
import {
  endSessionOf,
  recordForUser,
  requireSession,
  startSession,
  type Browser,
  type SessionContext,
  type StartedSession,
} from "./session.ts";
import {
  deleteSessionsOfUser,
  deleteSignInLinksOfUser,
  lockPassword,
  selectSignInLink,
  takeSignInLink,
  upsertPassword,
} from "./store.ts";

/**
 * Sets the password of a link's user, ends all of its sessions and its other links, and begins a session.
 * Errors: 400 code 1003 for a password that is too short, which leaves the link good; 403 code 10412 for a link that is
 * none, was used or has expired; 429 code 10429.
 */
export async function setFirstPassword(
  context: SessionContext,
  browser: Browser,
  { token, password }: FirstSignInBody,
): Promise<StartedSession> {
  refuseShortPassword(password, "/password");
  const { db, passwordGuard } = context;
  const tokenHash = hashSecret(token);
  // Before the costly hash: the link has to be valid.
  const { user_id: userId } = refuseExpired(await selectSignInLink(db.read, tokenHash), context.now());
  const client = { address: browser.address, known: { userId, proof: `link ${tokenHash}` } };
  const hash = await passwordGuard.hash(client, password);
  const started = await db.transaction(async (tx) => {
    const link = await takeSignInLink(tx, tokenHash);
    const { user_id } = refuseExpired(link, context.now());
    const user = await findUser(tx, user_id);
    if (user === undefined) throw invalidLink();
    await upsertPassword(tx, { user_id, hash });
    await endSessionOf(tx, browser);
    await deleteSessionsOfUser(tx, user_id);
    await deleteSignInLinksOfUser(tx, user_id);
    const session = await startSession(context, tx, user);
    await recordForUser(context, tx, browser, user, "password_set");
    return session;
  });
  passwordGuard.signedIn(browser.address, started.session.user.email);
  context.forgetCallers();
  return started;
}

/**
 * Changes the password of who is signed in, and ends its other sessions and its links.
 * Errors: 401 code 10401, 400 code 1003 for a password that is too short, 403 code 10411, 429 code 10429.
 */
export async function changePassword(
  context: SessionContext,
  browser: Browser,
  { current_password, new_password }: ChangePasswordBody,
): Promise<Session> {
  const signedIn = await requireSession(context, browser);
  const { user, idHash, session } = signedIn;
  refuseShortPassword(new_password, "/new_password");
  const pointer = "/current_password";
  const client = knownBySession(browser, signedIn);
  const current = await verifyOwnPassword(context, client, user, current_password, pointer);
  const hash = await context.passwordGuard.hash(client, new_password);
  await context.db.transaction(async (tx) => {
    // Of two changes at once, the later one does not know the password.
    if ((await lockPassword(tx, user.id)) !== current) throw wrongPassword("Wrong password", pointer);
    await upsertPassword(tx, { user_id: user.id, hash });
    await deleteSessionsOfUser(tx, user.id, idHash);
    await deleteSignInLinksOfUser(tx, user.id);
    await recordForUser(context, tx, browser, user, "password_change");
  });
  context.forgetCallers();
  return session;
}

function refuseExpired<Link extends { readonly expires_on: string }>(
  link: Link | undefined,
  now: Date,
): Link {
  if (link === undefined || link.expires_on <= toTimestamp(now)) throw invalidLink();
  return link;
}

function invalidLink(): AppError {
  return new AppError(
    "forbidden",
    10412,
    "The link was used before, has expired or is not complete: have another one made by `zoneward user sign-in-link`",
    { pointer: "/token" },
  );
}
