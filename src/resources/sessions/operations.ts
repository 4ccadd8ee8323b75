import { sessionOperation, type SessionWork } from "../../operation/open.ts";
import { hashSecret } from "../../secrets/secrets.ts";
import { findUser, findUserByEmail } from "../users/users.ts";
import { apiKeyOperations } from "./api-key.ts";
import { deviceOf } from "./device-cookies.ts";
import { wrongPassword } from "./own-password.ts";
import type { KnownClient } from "./password-guard.ts";
import { passwordOperations } from "./change-password.ts";
import { Nothing, Session, SignInBody } from "./schema.ts";
import {
  changeAccess,
  endSessionOf,
  requireSession,
  startSession,
  type Browser,
  type SessionContext,
} from "./session.ts";
import { deleteSession, selectPassword, selectSession } from "./store.ts";

/**
 * Begins a session in a browser, in place of the one that it may have.
 * Errors: 403 code 10411 for a wrong password as for an unknown e-mail; 429 code 10429.
 */
export const signIn = sessionOperation({
  name: "signIn",
  summary: "Sign in to the dashboard; the session is a cookie",
  method: "POST",
  path: "/session",
  needsSession: false,
  body: SignInBody,
  result: Session,
  run: async ({ context, browser }: SessionWork<SessionContext>, { body: { email, password } }) => {
    const { db, passwordGuard } = context;
    const user = await findUserByEmail(db.read, email);
    const hash = (await selectPassword(db.read, user?.id ?? ""))?.hash;
    const client = { address: browser.address, known: user && knownByDevice(context, browser, user.id) };
    const isRight = await passwordGuard.verify({ client, email, password, hash });
    if (!isRight || user === undefined) throw wrongPassword("Wrong e-mail or password");
    return changeAccess(context, browser, user, async ({ tx, audit, afterCommit }) => {
      // The password may have been changed while it was looked at.
      if ((await selectPassword(tx, user.id))?.hash !== hash) {
        throw wrongPassword("Wrong e-mail or password");
      }
      await endSessionOf(tx, browser);
      const started = await startSession(context, tx, user);
      audit("sign_in");
      afterCommit(() => passwordGuard.signedIn(browser.address, email));
      return started;
    });
  },
});

/** It does not count as use of the session. Errors: 401 code 10401. */
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

/** Does nothing where the browser has no session. */
export const signOut = sessionOperation({
  name: "signOut",
  summary: "End the session",
  method: "DELETE",
  path: "/session",
  needsSession: false,
  result: Nothing,
  run: async ({ context, browser }: SessionWork<SessionContext>) => {
    const idHash = hashSecret(browser.sessionId ?? "");
    const row = await selectSession(context.db.read, idHash);
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

function knownByDevice(
  context: SessionContext,
  { deviceCookie }: Browser,
  userId: string,
): KnownClient | undefined {
  const device = deviceOf(context, userId, deviceCookie);
  return device === undefined ? undefined : { userId, proof: `device ${device}` };
}

export const sessionOperations = [
  signIn,
  getSession,
  signOut,
  ...passwordOperations,
  ...apiKeyOperations,
] as const;
