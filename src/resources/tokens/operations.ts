import { Type } from "@sinclair/typebox";

import { errorCodes } from "../../core/error-codes.ts";
import { invalidBody, type AppError } from "../../core/error.ts";
import { combineGrantors } from "../../core/policy/grantors.ts";
import { credentialsRead, type CredentialsWork } from "../../operation/open.ts";
import { lists, reads, writes } from "../../operation/scoped.ts";
import { IdOnly } from "../../operation/schema.ts";
import { hashSecret, newTokenSecret } from "../../secrets/secrets.ts";
import { updateRow } from "../../storage/rows.ts";
import { fromJson, toJson, toTimestamp } from "../../storage/columns.ts";
import type { TokenRow } from "../../storage/schema/accounts.ts";
import { boundOf, checkReach, refuseStrongerToken } from "./bound.ts";
import { verifyToken } from "./known-token.ts";
import { levels, type Level, type TokenRead, type TokenWrite } from "./levels.ts";
import { listPermissionGroups } from "./templates.ts";
import {
  CreatedToken,
  CreateTokenBody,
  ListPermissionGroupsQuery,
  ListTokensQuery,
  ReplaceTokenBody,
  Token,
  TokenPermissionGroup,
  TokenSecret,
  TokenUsage,
  TokenVerification,
} from "./schema.ts";
import { parseTokenBody, type TokenFields, grantorsOf, toGrantorsColumn, withId, toToken } from "./token.ts";
import { usageOf } from "./token-use.ts";
import {
  findToken,
  issueToken,
  listTokens,
  removeToken,
  schemesOfInitialToken,
  type TokenContext,
} from "./tokens.ts";

const isValid = { code: errorCodes.tokens.verified, message: "This API Token is valid and active" };
const adviceCode = errorCodes.tokens.advice;
const bodyError = (pointer: string, rule: string): AppError =>
  invalidBody(pointer, rule, errorCodes.tokens.invalid);

function operationsOf({ names, prefix, of, kind }: Level) {
  const path = `${prefix}/tokens` as const;
  const item = `${path}/{token_id}` as const;
  return [
    lists(kind)({
      name: names.list,
      summary: `List the API tokens of ${of}`,
      path,
      permission: "read",
      query: ListTokensQuery,
      result: Token,
      list: { orderings: ["issued_on", "name"], perPageMax: 1_000 },
      run: (work: TokenRead, { query, page }) => listTokens(work, query, page),
    }),
    /** Errors: as `issueToken`, 405 code 10405 for a token of a user by e-mail and key. */
    writes(kind)({
      name: names.create,
      summary: `Create an API token of ${of}; its secret is answered only this once`,
      method: "POST",
      path,
      permission: "write",
      body: CreateTokenBody,
      bodyError,
      result: CreatedToken,
      ...(prefix === "/user" && {
        describeIn: ({ tokenSettings }: TokenContext) => schemesOfInitialToken(tokenSettings),
      }),
      run: async (work: TokenWrite, { body }) => {
        const { token, advice } = await issueToken(work, work.caller, body);
        for (const message of advice) work.addMessage({ code: adviceCode, message });
        return token;
      },
    }),
    /** Errors: as `verifyToken`. */
    credentialsRead({
      name: names.verify,
      summary: `Check the API token of ${of} that the request carries`,
      path: `${path}/verify`,
      result: TokenVerification,
      run: async (
        { context, credentials, address, addMessage }: CredentialsWork<TokenContext>,
        { params },
      ) => {
        const accountId = params.account_id;
        const verification = await verifyToken(context, credentials.token, { address, accountId });
        addMessage(isValid);
        return verification;
      },
    }),
    reads(kind)({
      name: names.listPermissionGroups,
      summary: `List the permission groups for policies of a token of ${of}`,
      path: `${path}/permission_groups`,
      permission: "read",
      query: ListPermissionGroupsQuery,
      result: Type.Array(TokenPermissionGroup),
      run: async ({ context }: TokenRead, { query }) =>
        listPermissionGroups(query, context.tokenSettings.vendor),
    }),
    /** Errors: 404 code 1003. */
    reads(kind)({
      name: names.get,
      summary: `Get an API token of ${of}`,
      path: item,
      permission: "read",
      result: Token,
      run: async ({ db, owner, context, now }: TokenRead, { params }) =>
        toToken(await findToken(db, owner, params.token_id), context.tokenSettings.vendor, now),
    }),
    /** Requests of the last seconds may be missing. Errors: 404 code 1003. */
    reads(kind)({
      name: names.usage,
      summary: `Count the requests that carried an API token of ${of}, by day`,
      path: `${item}/usage`,
      permission: "read",
      result: TokenUsage,
      run: async ({ db, owner, now }: TokenRead, { params }) => {
        const { id } = await findToken(db, owner, params.token_id);
        return { days: await usageOf(db, id, now) };
      },
    }),
    /** A policy keeps its id if it is sent. Errors: as `issueToken`, and 404 code 1003. */
    writes(kind)({
      name: names.replace,
      summary: `Replace an API token of ${of}, except its secret`,
      method: "PUT",
      path: item,
      permission: "write",
      body: ReplaceTokenBody,
      bodyError,
      result: Token,
      run: async (work: TokenWrite, { params, body }) => {
        const { tx, owner, caller, context, now } = work;
        const { vendor } = context.tokenSettings;
        const row = await findToken(tx, owner, params.token_id);
        const fields = parseTokenBody(body, { vendor, acceptIds: true });
        const bound = await boundOf(tx, owner, caller);
        await refuseStrongerToken(tx, bound, owner, row);
        const replaced = fromJson(row.policies);
        await checkReach(tx, bound, owner, fields.policies, { vendor, replaced });
        const known = new Set(replaced.map((policy) => policy.id));
        const policies = fields.policies.map((policy) =>
          withId(policy, policy.id !== undefined && known.delete(policy.id) ? policy.id : context.newId()),
        );
        for (const message of loosenedBy(row, fields)) work.addMessage({ code: adviceCode, message });
        const changed = {
          ...fields,
          status: body.status === "active" || body.status === "disabled" ? body.status : row.status,
          policies: toJson(policies),
          // Holders of the secret still have it from the earlier grantors.
          grantors: toGrantorsColumn(combineGrantors(grantorsOf(row), caller.grantors)),
          modified_on: toTimestamp(now),
        };
        return storeChange(work, "token_update", row, changed);
      },
    }),
    /** Errors: 404 code 1003. */
    writes(kind)({
      name: names.delete,
      summary: `Delete an API token of ${of}`,
      method: "DELETE",
      path: item,
      permission: "write",
      result: IdOnly,
      run: async (work: TokenWrite, { params: { token_id: id } }) => {
        await removeToken(work, id);
        return { id };
      },
    }),
    /**
     * The old secret stops working. Only the caller has the new one, so its grantors replace the earlier
     * ones.
     * Errors: 404 code 1003, 403 code 9109 for an account token that can do more than the caller may
     * delegate.
     */
    writes(kind)({
      name: names.roll,
      summary: `Give an API token of ${of} a new secret`,
      method: "PUT",
      path: `${item}/value`,
      permission: "write",
      result: TokenSecret,
      run: async (work: TokenWrite, { params }) => {
        const { tx, owner, caller, now } = work;
        const row = await findToken(tx, owner, params.token_id);
        await refuseStrongerToken(tx, await boundOf(tx, owner, caller), owner, row);
        const secret = newTokenSecret();
        await storeChange(work, "token_roll", row, {
          secret_hash: hashSecret(secret),
          grantors: toGrantorsColumn("userId" in owner ? null : caller.grantors),
          modified_on: toTimestamp(now),
        });
        return secret;
      },
    }),
  ];
}

type Limits = Pick<TokenRow, "condition" | "not_before" | "expires_on">;

/** Names the limits that a replacement lifts by leaving them out or empty, as nobody may have meant it. */
function loosenedBy(before: TokenRow, after: TokenFields): string[] {
  const lifted = [
    ["condition", "the token may be used from any address"],
    ["not_before", "the token may be used at once"],
    ["expires_on", "the token does not expire any more"],
  ] as const;
  return lifted
    .filter(([member]) => isLimited(before, member) && !isLimited(after, member))
    .map(
      ([member, effect]) => `\`${member}\` sets no limit any more, so that ${effect}; send it to keep it.`,
    );
}

/** A condition without lists is met by everybody. */
function isLimited(limits: Limits, member: keyof Limits): boolean {
  const { condition } = limits;
  if (member !== "condition") return limits[member] !== null;
  if (condition === null) return false;
  const { in: included, not_in: excluded } = fromJson(condition);
  return included !== undefined || excluded !== undefined;
}

/** Takes effect at the next request. */
async function storeChange(
  { tx, context, now, audit }: TokenWrite,
  action: "token_update" | "token_roll",
  row: TokenRow,
  changed: Partial<TokenRow>,
): Promise<Token> {
  const { vendor } = context.tokenSettings;
  await updateRow(tx, "tokens", row.id, changed);
  const [before, after] = [toToken(row, vendor, now), toToken({ ...row, ...changed }, vendor, now)];
  audit({ action, id: row.id, before, after });
  return after;
}

export const tokenOperations = levels.flatMap(operationsOf);
