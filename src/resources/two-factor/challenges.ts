import { errorCodes } from "../../core/error-codes.ts";
import { AppError } from "../../core/error.ts";
import type { Context } from "../../operation/context.ts";
import { hashSecret, newSessionSecret } from "../../secrets/secrets.ts";
import { toTimestamp } from "../../storage/columns.ts";
import { insertRow, selectRow } from "../../storage/rows.ts";
import type { Db } from "../../storage/tables.ts";
import type { SignInChallengeRow } from "../../storage/schema/sign-in.ts";

const challengeMs = 10 * 60_000;

interface NewChallenge {
  readonly userId: string;
  readonly purpose: SignInChallengeRow["purpose"];
  /** What a passkey has to sign, base64url; empty where none is asked for. */
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
