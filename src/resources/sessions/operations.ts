import { sessionOperation, type SessionResult, type SessionWork } from "../../operation/open.ts";
import { hashSecret } from "../../secrets/secrets.ts";
import { findUser, findUserByEmail } from "../users/users.ts";
import { wrongPassword } from "./own-password.ts";
import { knownByDevice } from "./known-device.ts";
import { Nothing, Session, SignedIn, SignInBody } from "./schema.ts";
import { askForFactor, prepareFactor } from "./second-factor.ts";
import { changeAccess, endSessionOf, requireSession, startSession, type SessionContext } from "./session.ts";
import { deleteSession } from "./store.ts";
import { selectRow } from "../../storage/rows.ts";

/**
 * Starts a session, in place of the browser's current one; for a user with a second factor it begins the second step.
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
