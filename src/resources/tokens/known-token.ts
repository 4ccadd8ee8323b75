import { errorCodes } from "../../core/error-codes.ts";
import { AppError, invalidRequest } from "../../core/error.ts";
import type { Grantors } from "../../core/policy/grantors.ts";
import { compilePolicies, type Grants } from "../../core/policy/grants.ts";
import { hashSecret, isMistypedTokenSecret } from "../../secrets/secrets.ts";
import { selectRow } from "../../storage/rows.ts";
import { fromJson } from "../../storage/columns.ts";
import type { Db } from "../../storage/tables.ts";
import type { Context } from "../../operation/context.ts";
import type { TokenVerification } from "./schema.ts";
import {
  type TokenOwner,
  isInForce,
  termsOf,
  type TokenTerms,
  grantorsOf,
  ownerOf,
  statusOf,
} from "./token.ts";

interface KnownToken {
  readonly id: string;
  readonly owner: TokenOwner;
  readonly grants: Grants;
  readonly grantors: Grantors;
  readonly terms: TokenTerms;
}

/** Malformed secrets are rejected without a query. */
export async function findTokenBySecret(db: Db, secret: string): Promise<KnownToken | undefined> {
  if (isMistypedTokenSecret(secret)) return undefined;
  const row = await selectRow(db, "tokens", { secret_hash: hashSecret(secret) });
  if (row === undefined) return undefined;
  return {
    id: row.id,
    owner: ownerOf(row),
    grants: compilePolicies(fromJson(row.policies)),
    grantors: grantorsOf(row),
    terms: termsOf(row),
  };
}

/**
 * Verifies a token. Account tokens are only known on the path of their account, user tokens on that of the
 * user.
 * Errors: 400 code 1001 without a token, 401 code 1000 for one that is unknown or not usable now and from
 * this address (docs/decisions/0013-token-conditions.md).
 */
export async function verifyToken(
  { db, now }: Pick<Context, "db" | "now">,
  secret: string | undefined,
  { address, accountId }: { readonly address: string; readonly accountId: string | undefined },
): Promise<TokenVerification> {
  if (secret === undefined) throw invalidRequest(errorCodes.tokens.invalid, 'Missing "Authorization" header');
  const row = isMistypedTokenSecret(secret)
    ? undefined
    : await selectRow(db.read, "tokens", { secret_hash: hashSecret(secret) });
  const isKnownHere = row !== undefined && row.account_id === (accountId ?? null);
  if (!isKnownHere || !isUsable(termsOf(row), now(), address)) {
    throw new AppError("unauthenticated", errorCodes.tokens.notInForce, "Invalid API Token", {
      beforeResource: true,
    });
  }
  return {
    id: row.id,
    status: statusOf(row, now()),
    ...(row.not_before !== null && { not_before: row.not_before }),
    ...(row.expires_on !== null && { expires_on: row.expires_on }),
  };
}

function isUsable(terms: TokenTerms, now: Date, address: string): boolean {
  return isInForce(terms, now) && terms.allowsAddress(address);
}
