import { randomInt } from "node:crypto";

import { errorCodes } from "../../core/error-codes.ts";
import { AppError } from "../../core/error.ts";
import type { Context } from "../../operation/context.ts";
import type { SecretBox } from "../../secrets/secret-box.ts";
import { toTimestamp } from "../../storage/columns.ts";
import {
  deleteRows,
  insertRows,
  putRow,
  selectRow,
  selectRows,
  updateRow,
  updateRows,
} from "../../storage/rows.ts";
import { sealedPlace } from "../../storage/sealed-columns.ts";
import type { Db } from "../../storage/tables.ts";
import type { UserRow } from "../../storage/schema/accounts.ts";
import type { PasskeyRow } from "../../storage/schema/sign-in.ts";
import type { PasskeySite } from "./passkeys.ts";
import { deleteRecoveryCode, selectIsEnforced } from "./store.ts";
import { newTotpSecret, stepOfCode, totpUri } from "./totp.ts";
import { hashSecret } from "../../secrets/secrets.ts";

export { addChallenge, findChallenge } from "./passkeys.ts";
export {
  creationOptions,
  refusedPasskey,
  requestOptions,
  verifyNewPasskey,
  verifyPasskey,
} from "./passkeys.ts";
export type { BrowserCredential, PasskeySite } from "./passkeys.ts";
export { deleteExpiredChallenges, hasExpiredChallenges } from "./store.ts";

/** The settings of two-factor sign-in. */
export interface TwoFactorTerms {
  /** Whether every user needs a second factor. */
  readonly isRequired: boolean;
  /** Undefined where browsers reach the server by an address, or without TLS: they have no passkeys there. */
  readonly passkeySite: PasskeySite | undefined;
}

type FactorContext = Pick<Context, "now"> & { readonly secretBox: SecretBox };

/** The second factors of a user. */
interface Factors {
  readonly totp: boolean;
  readonly passkeys: readonly PasskeyRow[];
  readonly recoveryCodes: number;
}

const issuer = "Zoneward";

export async function findFactors(db: Db, userId: string): Promise<Factors> {
  const totp = await selectRow(db, "totp_secrets", { user_id: userId });
  return {
    totp: totp !== undefined && totp.confirmed_on !== null,
    passkeys: await selectRows(db, "passkeys", { user_id: userId }, ["created_on", "id"]),
    recoveryCodes: (await selectRows(db, "recovery_codes", { user_id: userId })).length,
  };
}

/**
 * Whether the user may not be without a second factor: by the setting, or by an account of which it is a
 * member.
 */
export async function isTwoFactorLocked(
  db: Db,
  { isRequired }: TwoFactorTerms,
  userId: string,
): Promise<boolean> {
  return isRequired || selectIsEnforced(db, userId);
}

/** Makes the secret of an authenticator app, which counts once it is confirmed, and answers it. */
export async function startTotp(
  { secretBox }: FactorContext,
  tx: Db,
  { id, email }: Pick<UserRow, "id" | "email">,
): Promise<{ readonly secret: string; readonly uri: string }> {
  const existing = await selectRow(tx, "totp_secrets", { user_id: id });
  if (existing !== undefined && existing.confirmed_on !== null) {
    throw new AppError(
      "invalid",
      errorCodes.sessions.factorExists,
      "There is already an authenticator app: remove it first",
    );
  }
  const secret = newTotpSecret();
  await putRow(tx, "totp_secrets", {
    user_id: id,
    secret: secretBox.seal(secret, sealedPlace("totp_secrets.secret", id)),
    confirmed_on: null,
    used_step: 0,
  });
  return { secret, uri: totpUri(secret, email, issuer) };
}

/** Whether it is the first code of an authenticator app, which counts from then on. */
export async function confirmTotp(
  context: FactorContext,
  tx: Db,
  userId: string,
  code: string,
): Promise<boolean> {
  const step = await stepOfUser(context, tx, { userId, code, isConfirmed: false });
  if (step === undefined) return false;
  await updateRows(
    tx,
    "totp_secrets",
    { user_id: userId },
    { used_step: step, confirmed_on: toTimestamp(context.now()) },
  );
  return true;
}

/** Whether it is a code of the user's authenticator app, which is used up by it. */
export async function takeTotpCode(
  context: FactorContext,
  tx: Db,
  userId: string,
  code: string,
): Promise<boolean> {
  const step = await stepOfUser(context, tx, { userId, code, isConfirmed: true });
  if (step === undefined) return false;
  await updateRows(tx, "totp_secrets", { user_id: userId }, { used_step: step });
  return true;
}

interface SentCode {
  readonly userId: string;
  readonly code: string;
  /** Whether the authenticator app has been confirmed. */
  readonly isConfirmed: boolean;
}

async function stepOfUser(
  { now, secretBox }: FactorContext,
  tx: Db,
  { userId, code, isConfirmed }: SentCode,
): Promise<number | undefined> {
  const row = await selectRow(tx, "totp_secrets", { user_id: userId });
  if (row === undefined || (row.confirmed_on !== null) !== isConfirmed) return undefined;
  return stepOfCode(
    secretBox.open(row.secret, sealedPlace("totp_secrets.secret", userId)),
    code.replaceAll(" ", ""),
    now(),
    row.used_step,
  );
}

/** Whether it is one of the user's recovery codes, which is used up by it. */
export function takeRecoveryCode(tx: Db, userId: string, code: string): Promise<boolean> {
  return deleteRecoveryCode(tx, userId, hashRecoveryCode(code));
}

/** Replaces the user's recovery codes, and answers the new ones: they are not stored. */
export async function replaceRecoveryCodes(tx: Db, userId: string): Promise<string[]> {
  const codes = newRecoveryCodes();
  await deleteRows(tx, "recovery_codes", { user_id: userId });
  const rows = codes.map((code) => ({ user_id: userId, code_hash: hashRecoveryCode(code) }));
  await insertRows(tx, "recovery_codes", rows);
  return codes;
}

/** Notes a new second factor; answers recovery codes where it is the first one, or null. */
export async function factorAdded(
  { now }: Pick<Context, "now">,
  tx: Db,
  { id, second_factor_since }: Pick<UserRow, "id" | "second_factor_since">,
): Promise<string[] | null> {
  if (second_factor_since !== null) return null;
  await updateRow(tx, "users", id, { second_factor_since: toTimestamp(now()) });
  return replaceRecoveryCodes(tx, id);
}

/**
 * Notes that a second factor is gone. Errors: 403 code 10420 where it was the last one and the user needs
 * one.
 */
export async function factorRemoved(tx: Db, terms: TwoFactorTerms, userId: string): Promise<void> {
  const { totp, passkeys } = await findFactors(tx, userId);
  if (totp || passkeys.length > 0) return;
  if (await isTwoFactorLocked(tx, terms, userId)) {
    throw new AppError(
      "forbidden",
      errorCodes.sessions.factorRequired,
      "The last second factor has to stay: this server, or an account of which you are a member, requires one",
    );
  }
  await forgetFactors(tx, userId);
}

/** Takes all second factors of a user away. */
export async function forgetFactors(tx: Db, userId: string): Promise<void> {
  await deleteRows(tx, "totp_secrets", { user_id: userId });
  await deleteRows(tx, "passkeys", { user_id: userId });
  await deleteRows(tx, "recovery_codes", { user_id: userId });
  await deleteRows(tx, "sign_in_challenges", { user_id: userId });
  await updateRow(tx, "users", userId, { second_factor_since: null });
}

const count = 10;
/** 16 out of 32 characters: 80 bits, which need no slow hash. */
const characters = 16;
/** Without those that are taken for others. */
const alphabet = "abcdefghjkmnpqrstuvwxyz123456789";

/** New codes: `abcd-efgh-jkmn-pqrs`. */
function newRecoveryCodes(): string[] {
  return Array.from({ length: count }, () => {
    const code = Array.from({ length: characters }, () => alphabet[randomInt(alphabet.length)]).join("");
    return code.replaceAll(/.{4}(?=.)/g, "$&-");
  });
}

/** The hash under which a code is stored, however it was typed. */
function hashRecoveryCode(code: string): string {
  return hashSecret(code.toLowerCase().replaceAll(/[^a-z0-9]/g, ""));
}
