import { errorCodes } from "../../core/error-codes.ts";
import { AppError, invalidRequest } from "../../core/error.ts";
import { sessionOperation, type SessionWork } from "../../operation/open.ts";
import { toTimestamp } from "../../storage/columns.ts";
import { deleteRows, selectRow, updateRow } from "../../storage/rows.ts";
import type { Db } from "../../storage/tables.ts";
import type { UserRow } from "../../storage/schema/accounts.ts";
import type { PasskeyRow } from "../../storage/schema/sign-in.ts";
import {
  addChallenge,
  findChallenge,
  findFactors,
  refusedPasskey,
  requestOptions,
  takeRecoveryCode,
  takeTotpCode,
  verifyPasskey,
  type BrowserCredential,
} from "../two-factor/two-factor.ts";
import { findUser } from "../users/users.ts";
import { knownByDevice, changeAccess, endSessionOf, startSession, type SessionContext } from "./session.ts";
import { SecondFactorBody, Session, type SecondFactorStep } from "./schema.ts";

/**
 * The factor that a browser is asked for after the right password; undefined for a user without a second
 * factor.
 */
export interface AskedFactor {
  readonly methods: SecondFactorStep["second_factor"]["methods"];
  readonly challenge: string;
  readonly options: object | null;
}

/** To be called before the transaction that `askForFactor` is part of. */
export async function prepareFactor(
  { db, twoFactor: { passkeySite } }: SessionContext,
  { id, second_factor_since }: UserRow,
): Promise<AskedFactor | undefined> {
  if (second_factor_since === null) return undefined;
  const { totp, passkeys, recoveryCodes } = await findFactors(db.read, id);
  const usable = passkeys.filter(({ site }) => site === passkeySite?.name);
  const request =
    passkeySite !== undefined && usable.length > 0 ? await requestOptions(passkeySite, usable) : undefined;
  return {
    methods: [
      ...(request === undefined ? [] : (["passkey"] as const)),
      ...(totp ? (["totp"] as const) : []),
      ...(recoveryCodes > 0 ? (["recovery_code"] as const) : []),
    ],
    challenge: request?.challenge ?? "",
    options: request?.options ?? null,
  };
}

/** Begins the second step of a sign-in, in the transaction of the first. */
export async function askForFactor(
  context: SessionContext,
  tx: Db,
  user: UserRow,
  { methods, challenge, options }: AskedFactor,
): Promise<{ readonly result: SecondFactorStep }> {
  await deleteRows(tx, "sign_in_challenges", { user_id: user.id, purpose: "sign-in" });
  const token = await addChallenge(context, tx, { userId: user.id, purpose: "sign-in", challenge });
  return { result: { second_factor: { token, methods: [...methods], passkey_options: options } } };
}

/**
 * The second step of a sign-in, for users who have a second factor: starts a session, in place of the
 * browser's current one.
 * Errors: 403 code 10417 for a wrong code, 403 code 10418 where the first step is too long ago, 403 code
 * 10419 for a passkey that is not accepted, 429 code 10429.
 */
export const passSecondFactor = sessionOperation({
  name: "passSecondFactor",
  summary: "Prove the second factor, and be signed in",
  method: "POST",
  path: "/session/second_factor",
  needsSession: false,
  body: SecondFactorBody,
  result: Session,
  run: async ({ context, browser }: SessionWork<SessionContext>, { body }) => {
    const { db, passwordGuard } = context;
    const { user_id, challenge, token_hash } = await findChallenge(context, db.read, body.token, "sign-in");
    const user = await findUser(db.read, user_id);
    if (user === undefined) throw wrongFactor();
    const signed = await passkeyOf(context, user_id, challenge, body.passkey);
    return changeAccess(context, browser, user, async ({ tx, audit, afterCommit }) => {
      // Another request may have come first.
      await findChallenge(context, tx, body.token, "sign-in");
      const client = { address: browser.address, known: knownByDevice(context, browser, user.id) };
      const isRight = await passwordGuard.verifyFactor(client, user_id, async () => {
        if (signed !== undefined) return notePasskeyUse(context, tx, signed);
        if (body.recovery_code !== undefined) return takeRecoveryCode(tx, user_id, body.recovery_code);
        return takeTotpCode(context, tx, user_id, body.code ?? "");
      });
      if (!isRight) throw wrongFactor();
      await deleteRows(tx, "sign_in_challenges", { token_hash });
      await endSessionOf(tx, browser);
      const started = await startSession(context, tx, user, browser);
      if (body.recovery_code !== undefined) audit("recovery_code_use");
      audit("sign_in");
      afterCommit(() => passwordGuard.signedIn(browser.address, user.email));
      return started;
    });
  },
});

interface SignedPasskey {
  readonly passkey: PasskeyRow;
  readonly signatureCount: number;
}

/** The passkey that has signed the challenge; undefined where none was sent. Errors: 403 code 10419. */
async function passkeyOf(
  { db, twoFactor: { passkeySite } }: SessionContext,
  userId: string,
  challenge: string,
  response: BrowserCredential | undefined,
): Promise<SignedPasskey | undefined> {
  if (response === undefined) return undefined;
  const credentialId = response["id"];
  const passkey =
    typeof credentialId === "string"
      ? await selectRow(db.read, "passkeys", { user_id: userId, credential_id: credentialId })
      : undefined;
  if (passkeySite === undefined || passkey === undefined || challenge === "") throw refusedPasskey();
  return { passkey, signatureCount: await verifyPasskey(passkeySite, challenge, response, passkey) };
}

/** Returns false where it was removed meanwhile. */
async function notePasskeyUse(
  { now }: SessionContext,
  tx: Db,
  { passkey: { id }, signatureCount }: SignedPasskey,
): Promise<boolean> {
  if ((await selectRow(tx, "passkeys", { id })) === undefined) return false;
  await updateRow(tx, "passkeys", id, { signature_count: signatureCount, last_used_on: toTimestamp(now()) });
  return true;
}

/** 403 code 10417. */
export function wrongFactor(pointer?: string): AppError {
  return new AppError("forbidden", errorCodes.sessions.wrongFactor, "Wrong code", {
    ...(pointer !== undefined && { pointer }),
  });
}

/** 400 code 10423. */
export function factorMissing(): AppError {
  return invalidRequest(errorCodes.sessions.factorMissing, "There is no second factor: set one up first");
}
