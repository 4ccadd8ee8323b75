import type { Caller, Credential } from "../../core/policy/caller.ts";
import { errorCodes } from "../../core/error-codes.ts";
import { invalidIdentifier, invalidRequest } from "../../core/error.ts";
import type { Page, PageRequest } from "../../core/page.ts";
import type { Actor } from "../../operation/audit.ts";
import type { Context } from "../../operation/context.ts";
import { unitOfWork, type ChangeWork } from "../../operation/unit-of-work.ts";
import { newTokenSecret } from "../../secrets/secrets.ts";
import { deleteRow, insertRow, selectRow, updateRow } from "../../storage/rows.ts";
import type { Db } from "../../storage/tables.ts";
import type { TokenRow } from "../../storage/schema/accounts.ts";
import { boundOf, checkReach } from "./bound.ts";
import { lockOwner, type TokenOwner, parseTokenBody, newTokenRow, withId, toToken } from "./token.ts";
import type { CreateTokenBody, ListTokensQuery, Token } from "./schema.ts";
import { countTokens, selectToken, selectTokens, selectTokenByName } from "./store.ts";
import { templateGrants } from "./templates.ts";
import type { Policy } from "../../core/policy/grants.ts";
import { account, user } from "../../core/policy/permission-groups.ts";
import { fromJson } from "../../storage/columns.ts";

export { findTokenBySecret } from "./known-token.ts";

export type { TokenOwner } from "./token.ts";
export { policiesOfTemplate, tokenTemplates } from "./templates.ts";
export { isInForce, type TokenTerms } from "./token.ts";
export { noteTokenUse, saveTokenUse, type TokenUse } from "./token-use.ts";

export interface TokenContext extends Context {
  readonly tokenSettings: {
    readonly vendor: string;
    /** Whether users may create tokens by e-mail and key. */
    readonly initialToken: "dashboard" | "api";
    readonly userTokenQuota: number;
    readonly accountTokenQuota: number;
  };
}

/** A unit of work on the tokens of a locked owner. */
interface TokenWork extends ChangeWork {
  readonly context: TokenContext;
  readonly owner: TokenOwner;
}

/** The creator of a token. */
type TokenMaker = Pick<Caller, "grantors"> & Partial<Pick<Caller, "credential">>;

/** The operator on the host, limited only by the rights of the token's owner. */
export const operator: TokenMaker & Actor = { interface: "CLI", grantors: [] };

export async function changeTokens<Result>(
  context: TokenContext,
  owner: TokenOwner,
  change: (work: TokenWork) => Promise<Result>,
): Promise<Result> {
  const lock = async (tx: Db) => {
    await lockOwner(tx, owner);
    return { scope: { context, owner }, owner };
  };
  return unitOfWork(context, operator, lock, change);
}

/** Expired tokens are only listed on request. */
export async function listTokens(
  {
    db,
    owner,
    context,
    now,
  }: {
    readonly db: Db;
    readonly owner: TokenOwner;
    readonly context: Pick<TokenContext, "tokenSettings">;
    readonly now: Date;
  },
  query: ListTokensQuery,
  page: PageRequest<"issued_on" | "name">,
): Promise<Page<Token>> {
  const filter = { expiresAfter: query.include_expired ? undefined : inSeconds(now) };
  const { items, totalCount } = await selectTokens(db, owner, filter, page);
  return { items: items.map((row) => toToken(row, context.tokenSettings.vendor, now)), totalCount };
}

/** Errors: 404 code 1003. */
export async function findToken(db: Db, owner: TokenOwner, id: string): Promise<TokenRow> {
  const row = await selectToken(db, owner, id);
  if (row === undefined) throw invalidIdentifier("API Token", errorCodes.tokens.unknown);
  return row;
}

/** A token with its secret, which is answered only once, and advice on it. */
interface IssuedToken {
  readonly token: Token & { readonly value: string };
  readonly advice: readonly string[];
}

/**
 * A Global API Key makes no tokens of its user unless the setting says so
 * (docs/decisions/0004-initial-token.md).
 */
export function schemesOfInitialToken({ initialToken }: TokenContext["tokenSettings"]): {
  readonly schemes?: readonly Credential["kind"][];
  readonly schemesHint?: string;
} {
  if (initialToken === "api") return {};
  return {
    schemes: ["token", "session"],
    schemesHint:
      "a user's first token is made in the dashboard, or on the host with `zoneward token create`. The setting " +
      "`initial_token` = `api` allows it here",
  };
}

/** Errors: as `addToken`. */
export async function issueToken(
  { tx, context, owner, audit }: TokenWork,
  maker: TokenMaker,
  body: CreateTokenBody,
): Promise<IssuedToken> {
  const secret = newTokenSecret();
  const row = await addToken(context, tx, maker, owner, body, secret);
  const after = toToken(row, context.tokenSettings.vendor, context.now());
  audit({ action: "token_create", id: row.id, after });
  const { credential } = maker;
  const makerToken =
    credential?.kind === "token" ? await selectRow(tx, "tokens", { id: credential.tokenId }) : undefined;
  return { token: { ...after, value: secret }, advice: adviceOn(row, makerToken) };
}

/**
 * Adds a token in a transaction that has locked its owner. It may name all resources of its owner, whatever
 * the creator's own token may do.
 * Errors: 400 code 1001, 400 code 1002 above the quota, 403 code 9109 for an account token beyond what its
 * creator's grantors may do now.
 */
export async function addToken(
  context: TokenContext,
  tx: Db,
  maker: TokenMaker,
  owner: TokenOwner,
  body: CreateTokenBody,
  secret: string,
): Promise<TokenRow> {
  const { vendor } = context.tokenSettings;
  const fields = parseTokenBody(body, { vendor, acceptIds: false });
  await checkReach(tx, await boundOf(tx, owner, maker), owner, fields.policies, { vendor });
  await refuseAboveQuota(context, tx, owner);
  const row = newTokenRow(context, owner, {
    ...fields,
    status: body.status === "disabled" ? "disabled" : "active",
    policies: fields.policies.map((policy) => withId(policy, context.newId())),
    grantors: maker.grantors,
    secret,
  });
  await insertRow(tx, "tokens", row);
  return row;
}

/** Takes effect at the next request. Errors: 404 code 1003. */
export async function removeToken({ tx, context, owner, audit }: TokenWork, id: string): Promise<void> {
  const row = await findToken(tx, owner, id);
  await deleteRow(tx, "tokens", id);
  const before = toToken(row, context.tokenSettings.vendor, context.now());
  audit({ action: "token_delete", id, before });
}

async function refuseAboveQuota({ tokenSettings }: TokenContext, tx: Db, owner: TokenOwner): Promise<void> {
  const quota = "userId" in owner ? tokenSettings.userTokenQuota : tokenSettings.accountTokenQuota;
  if ((await countTokens(tx, owner)) >= quota) {
    throw invalidRequest(errorCodes.tokens.quotaReached, `The quota of ${quota} API tokens is used up`);
  }
}

function inSeconds(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}

const ownerTokenName = "Owner token";

/**
 * Creates the preset token of the owner, with all of the owner's rights, or changes its secret to the preset
 * one.
 */
export async function ensureOwnerToken(
  context: Context,
  tx: Db,
  userId: string,
  secret: string,
): Promise<void> {
  const owner = { userId };
  const existing = await selectTokenByName(tx, owner, ownerTokenName);
  const fresh = newTokenRow(context, owner, {
    name: ownerTokenName,
    policies: templateGrants("all", owner).map(({ resources, groupIds }) => ({
      id: context.newId(),
      effect: "allow",
      resources,
      groupIds,
    })),
    grantors: null,
    condition: null,
    not_before: null,
    expires_on: null,
    secret,
  });
  if (existing === undefined) await insertRow(tx, "tokens", fresh);
  else if (existing.secret_hash !== fresh.secret_hash) {
    const { secret_hash, modified_on } = fresh;
    await updateRow(tx, "tokens", existing.id, { secret_hash, modified_on });
  }
}

const makesTokens = new Set([user("API Tokens Write").id, account("Account API Tokens Write").id]);
const seesTokens = new Set([user("API Tokens Read").id, account("Account API Tokens Read").id]);

/**
 * Whether a token can create tokens and do other things, which is discouraged
 * (docs/decisions/0004-initial-token.md).
 */
function mixesTokenMaking(policies: readonly Pick<Policy, "effect" | "groupIds">[]): boolean {
  const groupIds = policies.filter(({ effect }) => effect === "allow").flatMap((policy) => policy.groupIds);
  return (
    groupIds.some((id) => makesTokens.has(id)) &&
    groupIds.some((id) => !makesTokens.has(id) && !seesTokens.has(id))
  );
}

/** Advice on a valid token, and on the token that created it. */
function adviceOn(row: TokenRow, maker: TokenRow | undefined): string[] {
  const policies = fromJson(row.policies);
  const advice: string[] = [];
  if (!policies.some(({ effect }) => effect === "allow")) {
    advice.push("The token has no policy that allows anything, so all that it asks for is denied.");
  }
  if (mixesTokenMaking(policies)) {
    advice.push("A token that can create tokens should carry no other permissions.");
  }
  if (maker !== undefined && mixesTokenMaking(fromJson(maker.policies))) {
    advice.push(
      "The token that created this one carries other permissions too; one that can create tokens should not.",
    );
  }
  return advice;
}
