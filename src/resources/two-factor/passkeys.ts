import { errorCodes } from "../../core/error-codes.ts";
import { AppError } from "../../core/error.ts";
import { fromJson, toTimestamp } from "../../storage/columns.ts";
import type { UserRow } from "../../storage/schema/accounts.ts";
import type { PasskeyRow, SignInChallengeRow } from "../../storage/schema/sign-in.ts";
import type { Context } from "../../operation/context.ts";
import { hashSecret, newSessionSecret } from "../../secrets/secrets.ts";
import { insertRow, selectRow } from "../../storage/rows.ts";
import type { Db } from "../../storage/tables.ts";

/** The site at which the passkeys of this server are good. */
export interface PasskeySite {
  /** Its host name (`rpId`). */
  readonly name: string;
  /** With scheme and port. */
  readonly origin: string;
}

/** The stored columns of a new passkey. */
type NewCredential = Pick<PasskeyRow, "credential_id" | "public_key" | "signature_count"> & {
  readonly transports: readonly string[];
};

/** The answer of a browser, as `toJSON` of its `PublicKeyCredential` says it; the library checks it. */
export type BrowserCredential = Readonly<Record<string, unknown>>;

const timeout = 5 * 60_000;
const signatureCountMax = 2 ** 31 - 1;
/** ES256, EdDSA and RS256 (RFC 9053 and RFC 8812), which authenticators have. */
const supportedAlgorithmIDs = [-7, -8, -257];
type TransportList = ("ble" | "cable" | "hybrid" | "internal" | "nfc" | "smart-card" | "usb")[];

/** Its CBOR and ASN.1 are loaded only where somebody has a passkey. */
const loadLibrary = () => import("@simplewebauthn/server");

/** The argument of `navigator.credentials.create`, as JSON. */
export async function creationOptions(
  site: PasskeySite,
  { id, email }: Pick<UserRow, "id" | "email">,
  existing: readonly PasskeyRow[],
): Promise<{ readonly options: object; readonly challenge: string }> {
  const { generateRegistrationOptions } = await loadLibrary();
  const options = await generateRegistrationOptions({
    rpName: "Zoneward",
    rpID: site.name,
    userID: new Uint8Array(Buffer.from(id, "hex")),
    userName: email,
    userDisplayName: email,
    timeout,
    attestationType: "none",
    excludeCredentials: describe(existing),
    supportedAlgorithmIDs,
    authenticatorSelection: { residentKey: "discouraged", userVerification: "preferred" },
  });
  return { options, challenge: options.challenge };
}

/** The argument of `navigator.credentials.get`, as JSON, for the passkeys that are good at the site. */
export async function requestOptions(
  site: PasskeySite,
  passkeys: readonly PasskeyRow[],
): Promise<{ readonly options: object; readonly challenge: string }> {
  const { generateAuthenticationOptions } = await loadLibrary();
  const options = await generateAuthenticationOptions({
    rpID: site.name,
    timeout,
    allowCredentials: describe(passkeys),
    userVerification: "preferred",
  });
  return { options, challenge: options.challenge };
}

/** Errors: 403 code 10419. */
export async function verifyNewPasskey(
  site: PasskeySite,
  challenge: string,
  response: BrowserCredential,
): Promise<NewCredential> {
  const { verifyRegistrationResponse } = await loadLibrary();
  const { registrationInfo } = await verified(
    verifyRegistrationResponse({
      response: response as never,
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.name,
      requireUserVerification: false,
      supportedAlgorithmIDs,
    }),
  );
  if (registrationInfo === undefined) throw refusedPasskey();
  const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
  return {
    credential_id: id,
    public_key: Buffer.from(publicKey).toString("base64url"),
    signature_count: Math.min(counter, signatureCountMax),
    transports: transports.filter((one) => /^[a-z-]{1,20}$/.test(one)).slice(0, 10),
  };
}

/** The new count of signatures. Errors: 403 code 10419. */
export async function verifyPasskey(
  site: PasskeySite,
  challenge: string,
  response: BrowserCredential,
  passkey: PasskeyRow,
): Promise<number> {
  const { verifyAuthenticationResponse } = await loadLibrary();
  const { authenticationInfo } = await verified(
    verifyAuthenticationResponse({
      response: response as never,
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.name,
      credential: {
        id: passkey.credential_id,
        publicKey: new Uint8Array(Buffer.from(passkey.public_key, "base64url")),
        counter: passkey.signature_count,
        transports: fromJson(passkey.transports),
      },
      requireUserVerification: false,
    }),
  );
  return Math.min(authenticationInfo.newCounter, signatureCountMax);
}

function describe(passkeys: readonly PasskeyRow[]) {
  return passkeys.map(({ credential_id, transports }) => ({
    id: credential_id,
    transports: fromJson(transports) as TransportList,
  }));
}

/** The library throws for whatever is wrong with what a browser sent. */
async function verified<Result extends { readonly verified: boolean }>(
  check: Promise<Result>,
): Promise<Result> {
  const result = await check.catch((error: unknown) => {
    throw refusedPasskey(error);
  });
  if (!result.verified) throw refusedPasskey();
  return result;
}

/** 403 code 10419. */
export function refusedPasskey(cause?: unknown): AppError {
  return new AppError("forbidden", errorCodes.sessions.refusedPasskey, "The passkey was not accepted", {
    cause,
  });
}

const challengeMs = 10 * 60_000;

interface NewChallenge {
  readonly userId: string;
  readonly purpose: SignInChallengeRow["purpose"];
  /** The octets that a passkey has to sign, base64url; empty where none is asked for. */
  readonly challenge: string;
}

/** Adds what a browser has to answer within ten minutes, and answers its token. */
export async function addChallenge(
  { now }: Pick<Context, "now">,
  tx: Db,
  { userId, purpose, challenge }: NewChallenge,
): Promise<string> {
  const token = newSessionSecret();
  await insertRow(tx, "sign_in_challenges", {
    token_hash: hashSecret(token),
    user_id: userId,
    purpose,
    challenge,
    expires_on: toTimestamp(new Date(now().getTime() + challengeMs)),
  });
  return token;
}

/** Errors: 403 code 10418 for a challenge that is unknown, of another purpose, answered or expired. */
export async function findChallenge(
  { now }: Pick<Context, "now">,
  db: Db,
  token: string,
  purpose: SignInChallengeRow["purpose"],
): Promise<SignInChallengeRow> {
  const row = await selectRow(db, "sign_in_challenges", { token_hash: hashSecret(token) });
  if (row !== undefined && row.purpose === purpose && row.expires_on > toTimestamp(now())) return row;
  throw new AppError(
    "forbidden",
    errorCodes.sessions.challengeOver,
    "This took too long, or was answered before: begin again",
    { pointer: "/token" },
  );
}
