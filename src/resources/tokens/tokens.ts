import type { Caller } from "../../core/caller.ts";
import { AppError } from "../../core/error.ts";
import type { Page, PageRequest } from "../../core/page.ts";
import { combineGrantors } from "../../core/policy/delegation.ts";
import type { Policy } from "../../core/policy/grants.ts";
import type { ParsedPolicy } from "../../core/policy/parse-policies.ts";
import { hashSecret, newTokenSecret } from "../../secrets/secrets.ts";
import { fromJson, toJson, toTimestamp } from "../../storage/columns.ts";
import type { Db, TokenRow } from "../../storage/tables.ts";
import type { AuditAction } from "../../operation/audit-actions.ts";
import { recordChanges, type Actor, type Change } from "../../operation/audit.ts";
import type { AccessContext } from "../../operation/context.ts";
import type { CreateTokenBody, ListTokensQuery, ReplaceTokenBody, Token } from "./schema.ts";
import {
  countTokens,
  deleteTokenRow,
  lockTokens,
  insertToken,
  selectToken,
  selectTokenById,
  selectTokens,
  updateToken,
  type TokenOwner,
} from "./store.ts";
import { adviceOn } from "./advice.ts";
import { boundOf, checkReach, refuseStrongerToken } from "./bound.ts";
import { parseTokenBody } from "./token-body.ts";
import { grantorsOf, newTokenRow, ownerOf, toGrantorsColumn } from "./token-row.ts";
import { toToken } from "./token.ts";

export { findTokenBySecret, verifyToken } from "./known-token.ts";
export { ensureOwnerToken } from "./owner-token.ts";
export { listPermissionGroups } from "./permission-groups.ts";
export type { TokenOwner } from "./store.ts";
export { policiesOfTemplate, tokenTemplates } from "./templates.ts";
export { isInForce, type TokenTerms } from "./terms.ts";
export { saveTokenUse } from "./token-use.ts";

export interface TokenContext extends AccessContext {
  readonly tokenSettings: {
    readonly vendor: string;
    readonly userTokenQuota: number;
    readonly accountTokenQuota: number;
  };
}

/** Who makes a token. */
export type TokenMaker = Actor & Pick<Caller, "grantors">;

/** The operator on the host, who is bounded by the owner of the token alone. */
export const operator: TokenMaker = { interface: "CLI", grantors: [] };

/** A token and what is to be said of it. */
interface CreatedToken {
  readonly token: Token & { readonly value: string };
  readonly advice: readonly string[];
}

/** Tokens of a user or an account, expired ones only when they are asked for. */
export async function listTokens(
  { db, now, tokenSettings }: TokenContext,
  owner: TokenOwner,
  query: ListTokensQuery,
  page: PageRequest<"issued_on" | "name">,
): Promise<Page<Token>> {
  const filter = { expiresAfter: query.include_expired ? undefined : inSeconds(now()) };
  const { items, totalCount } = await selectTokens(db.read, owner, filter, page);
  return { items: items.map((row) => toToken(row, tokenSettings.vendor, now())), totalCount };
}

/** Errors: 404 code 1003. */
export async function getToken(
  { db, now, tokenSettings }: TokenContext,
  owner: TokenOwner,
  id: string,
): Promise<Token> {
  return toToken(await findToken(db.read, owner, id), tokenSettings.vendor, now());
}

/**
 * Makes a token; its secret is answered only this once. It may name all that its owner reaches, whatever the caller's
 * own token may do.
 * Errors: 400 code 1001, 400 code 1002 above the quota, 403 code 9109 for a token of an account that
 * could do more than its maker's grantors may do now.
 */
export async function createToken(
  context: TokenContext,
  maker: TokenMaker,
  owner: TokenOwner,
  body: CreateTokenBody,
): Promise<CreatedToken> {
  return context.db.transaction(async (tx) => {
    const created = await addToken(context, tx, maker, owner, body);
    const credential = "credential" in maker ? maker.credential : undefined;
    const makerToken =
      credential?.kind === "token" ? await selectTokenById(tx, credential.tokenId) : undefined;
    const advice = adviceOn(created.row, makerToken);
    return { token: { ...created.token, value: created.secret }, advice };
  });
}

/**
 * Replaces what a token is, all but its secret. A policy keeps its id where it is sent with it, else it gets a new one.
 * Errors: as `createToken`, and 404 code 1003.
 */
export async function replaceToken(
  context: TokenContext,
  caller: Caller,
  owner: TokenOwner,
  id: string,
  body: ReplaceTokenBody,
): Promise<Token> {
  return changeToken(context, caller, owner, id, "token_update", async (tx, row) => {
    const { vendor } = context.tokenSettings;
    const fields = parseTokenBody(body, { vendor, acceptIds: true });
    const bound = await boundOf(tx, owner, caller);
    await refuseStrongerToken(tx, bound, owner, row);
    await checkReach(tx, bound, owner, fields.policies, vendor);
    const known = new Set(fromJson(row.policies).map((policy) => policy.id));
    const policies = fields.policies.map((policy) =>
      withId(policy, policy.id !== undefined && known.delete(policy.id) ? policy.id : context.newId()),
    );
    const status = body.status === "active" || body.status === "disabled" ? body.status : row.status;
    return {
      ...fields,
      status,
      policies: toJson(policies),
      // Whoever holds the secret has it from the earlier grantors.
      grantors: toGrantorsColumn(combineGrantors(grantorsOf(row), caller.grantors)),
      modified_on: toTimestamp(context.now()),
    };
  });
}

/** Errors: 404 code 1003. */
export async function deleteToken(
  context: TokenContext,
  actor: Actor,
  owner: TokenOwner,
  id: string,
): Promise<{ id: string }> {
  await context.db.transaction(async (tx) => {
    await lockTokens(tx, owner);
    const row = await findToken(tx, owner, id);
    await deleteTokenRow(tx, id);
    await logChange(context, tx, actor, { action: "token_delete", before: row });
  });
  context.forgetCallers();
  return { id };
}

/**
 * Gives a token another secret, which is answered; the one before is good no longer.
 * The caller alone holds the new one, so its grantors take the place of those before.
 * Errors: 404 code 1003, 403 code 9109 for a token of an account that can do more than the caller can hand on.
 */
export async function rollToken(
  context: TokenContext,
  caller: Caller,
  owner: TokenOwner,
  id: string,
): Promise<string> {
  const secret = newTokenSecret();
  await changeToken(context, caller, owner, id, "token_roll", async (tx, row) => {
    await refuseStrongerToken(tx, await boundOf(tx, owner, caller), owner, row);
    return {
      secret_hash: hashSecret(secret),
      grantors: toGrantorsColumn("userId" in owner ? null : caller.grantors),
      modified_on: toTimestamp(context.now()),
    };
  });
  return secret;
}

/** Makes a token as part of a transaction, with the secret that is given. Errors: as `createToken`. */
export async function addToken(
  context: TokenContext,
  tx: Db,
  maker: TokenMaker,
  owner: TokenOwner,
  body: CreateTokenBody,
  secret: string = newTokenSecret(),
): Promise<{ token: Token; row: TokenRow; secret: string }> {
  const { vendor } = context.tokenSettings;
  const fields = parseTokenBody(body, { vendor, acceptIds: false });
  await lockTokens(tx, owner);
  await checkReach(tx, await boundOf(tx, owner, maker), owner, fields.policies, vendor);
  await refuseAboveQuota(context, tx, owner);
  const row = newTokenRow(context, owner, {
    ...fields,
    status: body.status === "disabled" ? "disabled" : "active",
    policies: fields.policies.map((policy) => withId(policy, context.newId())),
    grantors: maker.grantors,
    secret,
  });
  await insertToken(tx, row);
  await logChange(context, tx, maker, { action: "token_create", after: row });
  return { token: toToken(row, vendor, context.now()), row, secret };
}

async function changeToken(
  context: TokenContext,
  actor: Actor,
  owner: TokenOwner,
  id: string,
  action: AuditAction,
  change: (tx: Db, row: TokenRow) => Promise<Partial<TokenRow>>,
): Promise<Token> {
  const token = await context.db.transaction(async (tx) => {
    await lockTokens(tx, owner);
    const before = await findToken(tx, owner, id);
    const changed = await change(tx, before);
    const after = { ...before, ...changed };
    await updateToken(tx, id, changed);
    await logChange(context, tx, actor, { action, before, after });
    return toToken(after, context.tokenSettings.vendor, context.now());
  });
  context.forgetCallers();
  return token;
}

async function findToken(db: Db, owner: TokenOwner, id: string): Promise<TokenRow> {
  const row = await selectToken(db, owner, id);
  if (row === undefined) throw new AppError("not-found", 1003, "Invalid API Token identifier");
  return row;
}

async function refuseAboveQuota({ tokenSettings }: TokenContext, tx: Db, owner: TokenOwner): Promise<void> {
  const quota = "userId" in owner ? tokenSettings.userTokenQuota : tokenSettings.accountTokenQuota;
  if ((await countTokens(tx, owner)) >= quota) {
    throw new AppError("invalid", 1002, `The quota of ${quota} API tokens is used up`);
  }
}

interface LoggedChange {
  readonly action: AuditAction;
  readonly before?: TokenRow;
  readonly after?: TokenRow;
}

async function logChange(
  context: TokenContext,
  tx: Db,
  actor: Actor,
  { action, before, after }: LoggedChange,
): Promise<void> {
  const row = after ?? before;
  if (row === undefined) return;
  const show = (shown: TokenRow): Token => toToken(shown, context.tokenSettings.vendor, context.now());
  const change: Change = {
    action,
    owner: ownerOf(row),
    resource: { type: "token", id: row.id },
    ...(before && { before: show(before) }),
    ...(after && { after: show(after) }),
  };
  await recordChanges(context, tx, actor, [change]);
}

function withId({ effect, resources, groupIds }: ParsedPolicy, id: string): Policy {
  return { id, effect, resources, groupIds };
}

function inSeconds(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}
