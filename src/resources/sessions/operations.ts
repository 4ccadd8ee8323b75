import { Type } from "@sinclair/typebox";

import { sessionOperation, type SessionResult, type SessionWork } from "../../operation/open.ts";
import { hashSecret } from "../../secrets/secrets.ts";
import { findUser, findUserByEmail, isGlobalApiKeyOf, replaceGlobalApiKey } from "../users/users.ts";
import {
  wrongPassword,
  knownByDevice,
  changeAccess,
  endSessionOf,
  requireSession,
  startSession,
  type SessionContext,
  isInForce,
  lastUseOf,
  knownBySession,
  verifyOwnPassword,
  secondFactorNeeded,
  type Browser,
} from "./session.ts";
import {
  Nothing,
  Session,
  SignedIn,
  SignInBody,
  EndedSessions,
  EndSessionsBody,
  OwnSession,
  ChangePasswordBody,
  FirstSignInBody,
  ApiKey,
  OwnPasswordBody,
} from "./schema.ts";
import { askForFactor, prepareFactor } from "./second-factor.ts";
import { deleteSession, deleteSessions, deleteSessionsOfUser, takeSignInLink } from "./store.ts";
import { selectRow, selectRows, deleteRows, putRow } from "../../storage/rows.ts";
import type { Db } from "../../storage/tables.ts";
import type { SessionRow } from "../../storage/schema/sign-in.ts";
import { errorCodes } from "../../core/error-codes.ts";
import { AppError } from "../../core/error.ts";
import { toTimestamp } from "../../storage/columns.ts";
import type { Sealed } from "../../storage/schema/table.ts";
import { refuseShortPassword } from "./passwords.ts";
import { SecretKeyError } from "../../secrets/secret-box.ts";
import { sealedPlace } from "../../storage/sealed-columns.ts";

/**
 * Starts a session, in place of the browser's current one; for a user with a second factor it begins the
 * second step.
 * Errors: 403 code 10411 for a wrong password or an unknown e-mail; 429 code 10429.
 */
export const signIn = sessionOperation({
  name: "signIn",
  summary: "Sign in to the dashboard; the session is a cookie",
  method: "POST",
  path: "/session",
  needsSession: false,
  body: SignInBody,
  result: SignedIn,
  run: async ({ context, browser }: SessionWork<SessionContext>, { body: { email, password } }) => {
    const { db, passwordGuard } = context;
    const user = await findUserByEmail(db.read, email);
    const hash = (await selectRow(db.read, "passwords", { user_id: user?.id ?? "" }))?.hash;
    const client = { address: browser.address, known: user && knownByDevice(context, browser, user.id) };
    const isRight = await passwordGuard.verify({ client, email, password, hash });
    if (!isRight || user === undefined) throw wrongPassword("Wrong e-mail or password");
    const asked = await prepareFactor(context, user);
    return changeAccess<SessionResult>(context, browser, user, async ({ tx, audit, afterCommit }) => {
      // The password may have changed during the check.
      if ((await selectRow(tx, "passwords", { user_id: user.id }))?.hash !== hash) {
        throw wrongPassword("Wrong e-mail or password");
      }
      if (asked !== undefined) return askForFactor(context, tx, user, asked);
      await endSessionOf(tx, browser);
      const started = await startSession(context, tx, user, browser);
      audit("sign_in");
      afterCommit(() => passwordGuard.signedIn(browser.address, email));
      return started;
    });
  },
});

/** Does not count as use of the session. Errors: 401 code 10401. */
export const getSession = sessionOperation({
  name: "getSession",
  summary: "Get the signed-in user",
  method: "GET",
  path: "/session",
  needsSession: true,
  result: Session,
  run: async ({ context, browser }: SessionWork<SessionContext>) => ({
    result: (await requireSession(context, browser)).session,
  }),
});

/** Does nothing without a session. */
export const signOut = sessionOperation({
  name: "signOut",
  summary: "End the session",
  method: "DELETE",
  path: "/session",
  needsSession: false,
  result: Nothing,
  run: async ({ context, browser }: SessionWork<SessionContext>) => {
    const idHash = hashSecret(browser.sessionId ?? "");
    const row = await selectRow(context.db.read, "sessions", { id_hash: idHash });
    const user = row && (await findUser(context.db.read, row.user_id));
    if (user !== undefined) {
      await changeAccess(context, browser, user, async ({ tx, audit, afterCommit }) => {
        if (await deleteSession(tx, idHash)) audit("sign_out");
        afterCommit(() => void context.sessionUse.delete(idHash));
      });
    }
    return { result: {}, cookie: "none" as const };
  },
});

/** The sessions in force, the one that was used last first. Errors: 401 code 10401. */
export const listOwnSessions = sessionOperation({
  name: "listOwnSessions",
  summary: "List the sessions of the signed-in user",
  method: "GET",
  path: "/session/all",
  needsSession: true,
  result: Type.Array(OwnSession),
  run: async ({ context, browser }: SessionWork<SessionContext>) => {
    const { user, idHash } = await requireSession(context, browser);
    const rows = await sessionsInForce(context, context.db.read, user.id);
    return { result: rows.map((row) => toOwnSession(row, idHash)) };
  },
});

/**
 * Takes effect at the next request of a browser, on every instance. A session that has ended meanwhile is not
 * counted; the one of this request stays. Errors: 401 code 10401.
 */
export const endOtherSessions = sessionOperation({
  name: "endOtherSessions",
  summary: "End other sessions of the signed-in user",
  method: "POST",
  path: "/session/end_others",
  needsSession: true,
  body: EndSessionsBody,
  result: EndedSessions,
  run: async ({ context, browser }: SessionWork<SessionContext>, { body: { id } }) => {
    const { user, idHash } = await requireSession(context, browser);
    return changeAccess(context, browser, user, async ({ tx, audit, afterCommit }) => {
      const others = (await sessionsInForce(context, tx, user.id))
        .map(({ id_hash }) => id_hash)
        .filter((other) => other !== idHash && (id === undefined || shownId(other) === id));
      if (others.length > 0) {
        await deleteSessions(tx, others);
        audit("sessions_end");
        afterCommit(() => {
          for (const other of others) context.sessionUse.delete(other);
        });
      }
      return { result: { ended: others.length } };
    });
  },
});

async function sessionsInForce(
  { now, sessionTerms, sessionUse }: SessionContext,
  db: Db,
  userId: string,
): Promise<SessionRow[]> {
  const rows = await selectRows(db, "sessions", { user_id: userId });
  for (const row of rows) row.used_on = lastUseOf(row, sessionUse);
  return rows
    .filter((row) => isInForce(row, now(), sessionTerms.idleMs))
    .toSorted((one, other) => (one.used_on > other.used_on ? -1 : Number(one.used_on < other.used_on)));
}

/** A part of the hash: enough to tell one from the others. */
const shownId = (idHash: string): string => idHash.slice(0, 32);

function toOwnSession(row: SessionRow, current: string): OwnSession {
  const { id_hash, address, started_on, used_on, expires_on } = row;
  return { id: shownId(id_hash), is_current: id_hash === current, address, started_on, used_on, expires_on };
}

/**
 * Also ends the user's sessions and other links. A user with a second factor has to prove it before a session
 * begins.
 * Errors: 400 code 1003 for a short password, which does not use up the link; 403 code 10412 for an invalid,
 * used or expired link; 429 code 10429.
 */
export const setFirstPassword = sessionOperation({
  name: "setFirstPassword",
  summary: "Set the password of a one-time link's user, and sign in",
  method: "POST",
  path: "/session/first",
  needsSession: false,
  body: FirstSignInBody,
  result: SignedIn,
  run: async ({ context, browser }: SessionWork<SessionContext>, { body: { token, password } }) => {
    refuseShortPassword(password, "/password");
    const { db, passwordGuard } = context;
    const tokenHash = hashSecret(token);
    // Checked before the expensive hash.
    const { user_id } = refuseExpired(
      await selectRow(db.read, "sign_in_links", { token_hash: tokenHash }),
      context.now(),
    );
    const user = await findUser(db.read, user_id);
    if (user === undefined) throw invalidLink();
    const client = { address: browser.address, known: { userId: user_id, proof: `link ${tokenHash}` } };
    const hash = await passwordGuard.hash(client, password);
    const asked = await prepareFactor(context, user);
    return changeAccess<SessionResult>(context, browser, user, async ({ tx, audit, afterCommit }) => {
      refuseExpired(await takeSignInLink(tx, tokenHash), context.now());
      await putRow(tx, "passwords", { user_id, hash });
      await endSessionOf(tx, browser);
      await deleteSessionsOfUser(tx, user_id);
      await deleteRows(tx, "sign_in_links", { user_id });
      if (asked !== undefined) {
        audit("password_set");
        return askForFactor(context, tx, user, asked);
      }
      const started = await startSession(context, tx, user, browser);
      audit("password_set");
      afterCommit(() => passwordGuard.signedIn(browser.address, user.email));
      return started;
    });
  },
});

/**
 * Also ends the user's links.
 * Errors: 401 code 10401, 400 code 1003 for a short password, 403 code 10411, 429 code 10429.
 */
export const changePassword = sessionOperation({
  name: "changePassword",
  summary: "Change the password, which ends the user's other sessions",
  method: "POST",
  path: "/session/password",
  needsSession: true,
  body: ChangePasswordBody,
  result: Session,
  run: async (
    { context, browser }: SessionWork<SessionContext>,
    { body: { current_password, new_password } },
  ) => {
    const signedIn = await requireSession(context, browser);
    const { user, idHash, session } = signedIn;
    refuseShortPassword(new_password, "/new_password");
    const pointer = "/current_password";
    const client = knownBySession(browser, signedIn);
    const current = await verifyOwnPassword(context, client, user, current_password, pointer);
    const hash = await context.passwordGuard.hash(client, new_password);
    await changeAccess(context, browser, user, async ({ tx, audit }) => {
      // Another change may have come first.
      if ((await selectRow(tx, "passwords", { user_id: user.id }))?.hash !== current) {
        throw wrongPassword("Wrong password", pointer);
      }
      await putRow(tx, "passwords", { user_id: user.id, hash });
      await deleteSessionsOfUser(tx, user.id, idHash);
      await deleteRows(tx, "sign_in_links", { user_id: user.id });
      await deleteRows(tx, "sign_in_challenges", { user_id: user.id, purpose: "sign-in" });
      audit("password_change");
    });
    return { result: session };
  },
});

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
    errorCodes.sessions.invalidLink,
    "The link was used before, has expired or is not complete: have another one made by `zoneward user sign-in-link`",
    { pointer: "/token" },
  );
}

/**
 * Only keys made by `changeApiKey` can be shown: of others only the hash is stored.
 * Errors: 401 code 10401, 403 code 10411, 429 code 10429, 410 code 10414 for other keys, 503 code 10504.
 */
export const viewApiKey = sessionOperation({
  name: "viewApiKey",
  summary: "View the Global API Key, if it was changed since it was created",
  method: "POST",
  path: "/session/api_key/view",
  needsSession: true,
  body: OwnPasswordBody,
  result: ApiKey,
  run: async ({ context, browser }: SessionWork<SessionContext>, { body: { password } }) => {
    const { user } = await confirmIdentity(context, browser, password);
    return changeAccess(context, browser, user, async ({ tx, audit }) => {
      const kept = await selectRow(tx, "kept_api_keys", { user_id: user.id });
      if (kept === undefined) throw notKept();
      const api_key = context.secretBox.open(kept.api_key, sealedPlace("kept_api_keys.api_key", user.id));
      // A preset `owner_key` may have replaced it.
      if (!(await isGlobalApiKeyOf(tx, user.id, api_key))) throw notKept();
      audit("api_key_view");
      return { result: { api_key } };
    });
  },
});

/**
 * With a secret key the new API key is also stored encrypted, and can be viewed.
 * Errors: 401 code 10401, 403 code 10411, 429 code 10429.
 */
export const changeApiKey = sessionOperation({
  name: "changeApiKey",
  summary: "Change the Global API Key; the previous one stops working",
  method: "POST",
  path: "/session/api_key/change",
  needsSession: true,
  body: OwnPasswordBody,
  result: ApiKey,
  run: async ({ context, browser }: SessionWork<SessionContext>, { body: { password } }) => {
    const { user, hash } = await confirmIdentity(context, browser, password);
    return changeAccess(context, browser, user, async ({ tx, audit }) => {
      if ((await selectRow(tx, "passwords", { user_id: user.id }))?.hash !== hash) {
        throw wrongPassword("Wrong password", "/password");
      }
      const api_key = await replaceGlobalApiKey(context, tx, user.id);
      const sealed = sealWhereItCan(context, api_key, user.id);
      if (sealed === undefined) await deleteRows(tx, "kept_api_keys", { user_id: user.id });
      else await putRow(tx, "kept_api_keys", { user_id: user.id, api_key: sealed });
      audit("api_key_change");
      return { result: { api_key } };
    });
  },
});

/**
 * Authenticates once more, with the hash of the password; refuses a user who lacks the second factor that an
 * account asks for.
 */
async function confirmIdentity(context: SessionContext, browser: Browser, password: string) {
  const signedIn = await requireSession(context, browser);
  const { user, session } = signedIn;
  if (session.needs_second_factor) throw secondFactorNeeded();
  const client = knownBySession(browser, signedIn);
  return { user, hash: await verifyOwnPassword(context, client, user, password, "/password") };
}

/** Without a secret key the API key can be changed but not viewed. */
function sealWhereItCan({ secretBox }: SessionContext, key: string, userId: string): Sealed | undefined {
  try {
    return secretBox.seal(key, sealedPlace("kept_api_keys.api_key", userId));
  } catch (error) {
    if (error instanceof SecretKeyError) return undefined;
    throw error;
  }
}

function notKept(): AppError {
  return new AppError(
    "gone",
    errorCodes.sessions.keyNotKept,
    "Only the hash of this Global API Key is stored, so it cannot be shown; change it to get another one",
  );
}
