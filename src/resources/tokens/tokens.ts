import { AppError } from "../../core/error.ts";
import { hashSecret } from "../../secrets.ts";
import { toTimestamp } from "../../storage/columns.ts";
import type { Db, TokenRow } from "../../storage/tables.ts";
import type { Context } from "../context.ts";
import type { TokenVerification } from "./schema.ts";
import { insertToken, selectTokenByName, selectTokenBySecretHash, updateTokenSecret } from "./store.ts";

/**
 * `GET /user/tokens/verify`: what the presented token is.
 * Errors: 400 code 1001 without a token, 401 code 1000 for one that is nobody's (wire contract 1.3).
 */
export async function verifyToken({ db }: Context, secret: string | undefined): Promise<TokenVerification> {
  if (secret === undefined) throw new AppError("invalid", 1001, 'Missing "Authorization" header');
  const token = await findTokenBySecret(db.read, secret);
  if (token?.status !== "active") {
    throw new AppError("unauthenticated", 1000, "Invalid API Token", { atGate: true });
  }
  return { id: token.id, status: token.status };
}

export async function findTokenBySecret(db: Db, secret: string): Promise<TokenRow | undefined> {
  return selectTokenBySecretHash(db, hashSecret(secret));
}

const ownerTokenName = "Owner token";

/** Makes the preset token of the owner, or gives it the secret that is preset now (decision 3). */
export async function ensureOwnerToken(
  context: Context,
  tx: Db,
  userId: string,
  secret: string,
): Promise<void> {
  const secret_hash = hashSecret(secret);
  const modified_on = toTimestamp(context.now());
  const existing = await selectTokenByName(tx, userId, ownerTokenName);
  if (existing === undefined) {
    await insertToken(tx, {
      id: context.newId(),
      user_id: userId,
      name: ownerTokenName,
      status: "active",
      secret_hash,
      issued_on: modified_on,
      modified_on,
    });
  } else if (existing.secret_hash !== secret_hash) {
    await updateTokenSecret(tx, existing.id, { secret_hash, modified_on });
  }
}
