import { errorCodes } from "../../core/error-codes.ts";
import { notFound } from "../../core/error.ts";
import { hashSecret, newSessionSecret } from "../../secrets/secrets.ts";
import { insertRow, selectRow } from "../../storage/rows.ts";
import { toTimestamp } from "../../storage/columns.ts";
import type { Db } from "../../storage/tables.ts";
import type { Actor } from "../../operation/audit.ts";
import type { Context } from "../../operation/context.ts";
import { lockUser } from "../../operation/scope.ts";
import { unitOfWork } from "../../operation/unit-of-work.ts";
import { findUserByEmail, knownUser } from "../users/users.ts";

const lifetimeMs = 24 * 60 * 60 * 1000;

/** The page on which a user sets the first password. The fragment is never sent to a server or logged. */
export function signInLink(dashboardUrl: string, token: string): string {
  return `${new URL("/first-sign-in", dashboardUrl).href}#${token}`;
}

/** Adds a link, valid once and for 24 hours, and returns its token, which is not stored. */
async function addSignInLink({ now }: Pick<Context, "now">, tx: Db, userId: string): Promise<string> {
  const token = newSessionSecret();
  const expires_on = toTimestamp(new Date(now().getTime() + lifetimeMs));
  await insertRow(tx, "sign_in_links", { token_hash: hashSecret(token), user_id: userId, expires_on });
  return token;
}

/** Adds a link for an existing user; the password stays valid until it is used. Errors: 404 code 1001. */
export async function createSignInLink(context: Context, actor: Actor, email: string): Promise<string> {
  return unitOfWork(
    context,
    actor,
    (tx) => lockUserOfEmail(tx, email),
    async ({ tx, user, audit }) => {
      const token = await addSignInLink(context, tx, user.id);
      audit({ action: "sign_in_link_create", id: user.id });
      return token;
    },
  );
}

/** The user of an e-mail, whom nobody else changes until the transaction ends. Errors: 404 code 1001. */
export async function lockUserOfEmail(tx: Db, email: string) {
  const found = await findUserByEmail(tx, email);
  if (found === undefined) {
    throw notFound(errorCodes.users.unknown, `There is no user with the e-mail ${email}`);
  }
  await lockUser(tx, found.id);
  const user = await knownUser(tx, found.id);
  return { scope: { user }, owner: { userId: user.id } };
}

/** A link for a user without a password; undefined for others. */
export async function addFirstSignInLink(
  context: Pick<Context, "now">,
  tx: Db,
  userId: string,
): Promise<string | undefined> {
  const isSet = (await selectRow(tx, "passwords", { user_id: userId })) !== undefined;
  return isSet ? undefined : addSignInLink(context, tx, userId);
}
