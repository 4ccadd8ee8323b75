import { errorCodes } from "../../core/error-codes.ts";
import { AppError } from "../../core/error.ts";
import { sessionOperation, type SessionResult, type SessionWork } from "../../operation/open.ts";
import { hashSecret } from "../../secrets/secrets.ts";
import { deleteRows, putRow, selectRow } from "../../storage/rows.ts";
import { toTimestamp } from "../../storage/columns.ts";
import { findUser } from "../users/users.ts";
import { knownBySession, verifyOwnPassword, wrongPassword } from "./own-password.ts";
import { refuseShortPassword } from "./passwords.ts";
import { ChangePasswordBody, FirstSignInBody, Session, SignedIn } from "./schema.ts";
import { askForFactor, prepareFactor } from "./second-factor.ts";
import { changeAccess, endSessionOf, requireSession, startSession, type SessionContext } from "./session.ts";
import { deleteSessionsOfUser, takeSignInLink } from "./store.ts";

/**
 * Also ends the user's sessions and other links. A user with a second factor has to prove it before a session begins.
 * Errors: 400 code 1003 for a short password, which does not use up the link; 403 code 10412 for an invalid, used or
 * expired link; 429 code 10429.
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
