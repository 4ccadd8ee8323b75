import { errorCodes } from "../../core/error-codes.ts";
import { AppError } from "../../core/error.ts";
import { selectRow } from "../../storage/rows.ts";
import type { UserRow } from "../../storage/schema/accounts.ts";
import type { PasswordClient } from "./password-guard.ts";
import { requireSession, type Browser, type SessionContext } from "./session.ts";

/** The client of a session. */
export function knownBySession(
  { address }: Browser,
  { user, idHash }: { readonly user: Pick<UserRow, "id">; readonly idHash: string },
): PasswordClient {
  return { address, known: { userId: user.id, proof: `session ${idHash}` } };
}

/** Returns the hash of the user's password. Errors: 403 code 10411 with `pointer`, 429 code 10429. */
export async function verifyOwnPassword(
  { db, passwordGuard }: SessionContext,
  client: PasswordClient,
  { id, email }: UserRow,
  password: string,
  pointer: string,
): Promise<string> {
  const hash = (await selectRow(db.read, "passwords", { user_id: id }))?.hash;
  const isRight = await passwordGuard.verify({ client, email, password, hash });
  if (!isRight || hash === undefined) throw wrongPassword("Wrong password", pointer);
  return hash;
}

/** The signed-in user, who has sent the password once more. Errors: 401 code 10401, 403 code 10411, 429 code 10429. */
export async function reauthenticate(
  context: SessionContext,
  browser: Browser,
  password: string,
): Promise<UserRow> {
  const signedIn = await requireSession(context, browser);
  const { user } = signedIn;
  await verifyOwnPassword(context, knownBySession(browser, signedIn), user, password, "/password");
  return user;
}

/** 403 code 10411. */
export function wrongPassword(message: string, pointer?: string): AppError {
  return new AppError("forbidden", errorCodes.sessions.wrongPassword, message, {
    ...(pointer !== undefined && { pointer }),
    beforeResource: pointer === undefined,
  });
}
