import { lockAccount, lockUser } from "../../operation/scope.ts";
import type { Db } from "../../storage/tables.ts";
import {
  compileAddressCondition,
  parseTimeWindow,
  windowPhase,
  type AddressCondition,
  type TimeWindow,
  conditionKeys,
} from "../../core/policy/conditions.ts";
import { fromJson, toJson, toTimestamp } from "../../storage/columns.ts";
import type { Timestamp } from "../../storage/schema/table.ts";
import type { TokenRow, SentCondition } from "../../storage/schema/accounts.ts";
import type { Grantors } from "../../core/policy/grantors.ts";
import type { Policy } from "../../core/policy/grants.ts";
import { type ParsedPolicy, parsePolicies } from "../../core/policy/parse-policies.ts";
import { hashSecret } from "../../secrets/secrets.ts";
import type { Context } from "../../operation/context.ts";
import { invalidTokenBody } from "../../core/policy/token-error.ts";
import type { AddressConditionBody, CreateTokenBody, Token } from "./schema.ts";
import { findPermissionGroup } from "../../core/policy/permission-groups.ts";
import { printResources } from "../../core/policy/resource-keys.ts";

export type TokenOwner = { readonly userId: string } | { readonly accountId: string };

/** Locks the tokens of the owner and its rights in accounts until the transaction ends. */
export async function lockOwner(tx: Db, owner: TokenOwner): Promise<void> {
  await ("userId" in owner ? lockUser(tx, owner.userId) : lockAccount(tx, owner.accountId));
}

export interface TokenTerms {
  readonly status: TokenRow["status"];
  readonly window: TimeWindow;
  readonly allowsAddress: (address: string) => boolean;
}

export function termsOf(row: TokenRow): TokenTerms {
  const condition: AddressCondition = row.condition === null ? {} : fromJson(row.condition);
  return {
    status: row.status,
    window: timeWindowOf(row),
    allowsAddress: compileAddressCondition(condition, ["condition", "request.ip"]),
  };
}

function timeWindowOf(row: Pick<TokenRow, "not_before" | "expires_on">): TimeWindow {
  return parseTimeWindow(row);
}

/** Whether the token is usable at this time, regardless of the address. */
export function isInForce({ status, window }: TokenTerms, now: Date): boolean {
  return status === "active" && windowPhase(window, now.getTime()) === "open";
}

type NewToken = Pick<TokenRow, "name" | "condition" | "not_before" | "expires_on"> & {
  readonly status?: TokenRow["status"];
  readonly policies: readonly Policy[];
  /** The grantors of an account token; a user token is limited by its user. */
  readonly grantors: Grantors;
  readonly secret: string;
};

export function newTokenRow(
  { now, newId }: Pick<Context, "now" | "newId">,
  owner: TokenOwner,
  { name, status = "active", policies, grantors, condition, not_before, expires_on, secret }: NewToken,
): TokenRow {
  const issued_on = toTimestamp(now());
  return {
    id: newId(),
    user_id: "userId" in owner ? owner.userId : null,
    account_id: "accountId" in owner ? owner.accountId : null,
    name,
    status,
    secret_hash: hashSecret(secret),
    policies: toJson([...policies]),
    grantors: toGrantorsColumn("userId" in owner ? null : grantors),
    condition,
    not_before,
    expires_on,
    issued_on,
    modified_on: issued_on,
    last_used_on: null,
  };
}

export function withId({ effect, resources, groupIds }: ParsedPolicy, id: string): Policy {
  return { id, effect, resources, groupIds };
}

export function toGrantorsColumn(grantors: Grantors): TokenRow["grantors"] {
  return grantors === null ? null : toJson([...grantors]);
}

export function grantorsOf({ grantors }: Pick<TokenRow, "grantors">): Grantors {
  return grantors === null ? null : fromJson(grantors);
}

export function ownerOf({ user_id, account_id }: TokenRow): TokenOwner {
  return account_id === null ? { userId: user_id ?? "" } : { accountId: account_id };
}

/** The fields of a token body. */
export type TokenFields = Pick<TokenRow, "name" | "condition" | "not_before" | "expires_on"> & {
  readonly policies: readonly ParsedPolicy[];
};

interface ParseOptions {
  readonly vendor: string;
  /** Whether policies may have ids, as in replacements. */
  readonly acceptIds: boolean;
}

/** Errors: 400 code 1001 with a pointer to the first error (docs/decisions/0012-strict-token-bodies.md). */
export function parseTokenBody(body: CreateTokenBody, options: ParseOptions): TokenFields {
  const policies = parsePolicies(body.policies, options);
  const { not_before = null, expires_on = null } = body;
  parseTimeWindow({ not_before, expires_on });
  return { name: body.name, policies, not_before, expires_on, condition: parseCondition(body.condition) };
}

/** Refuses two keys with different conditions: one of them would be ignored. */
function parseCondition(body: CreateTokenBody["condition"]): TokenRow["condition"] {
  const sent = conditionKeys.flatMap((key) => {
    const addresses = body?.[key];
    return addresses == null ? [] : [{ key, condition: toCondition(addresses) }];
  });
  for (const { key, condition } of sent) compileAddressCondition(condition, ["condition", key]);
  const [first, second] = sent;
  if (first === undefined) return null;
  if (second !== undefined && toJson(first.condition) !== toJson(second.condition)) {
    throw invalidTokenBody(["condition", second.key], `must say the same as \`${first.key}\``);
  }
  return toJson({ ...first.condition, sentAs: sent.map(({ key }) => key) });
}

function toCondition(sent: AddressConditionBody): AddressCondition {
  return { ...(sent.in && { in: sent.in }), ...(sent.not_in && { not_in: sent.not_in }) };
}

/** A token in answers, without its secret. */
export function toToken(row: TokenRow, vendor: string, now: Date): Token {
  return {
    id: row.id,
    name: row.name,
    status: statusOf(row, now),
    issued_on: inSeconds(row.issued_on),
    modified_on: inSeconds(row.modified_on),
    last_used_on: row.last_used_on === null ? null : inSeconds(row.last_used_on),
    ...(row.not_before !== null && { not_before: row.not_before }),
    ...(row.expires_on !== null && { expires_on: row.expires_on }),
    policies: fromJson(row.policies).map(({ id, effect, resources, groupIds }) => ({
      id,
      effect,
      resources: printResources(resources, vendor),
      permission_groups: groupIds.map((groupId) => ({
        id: groupId,
        name: findPermissionGroup(groupId)?.name ?? "",
      })),
    })),
    ...(row.condition !== null && { condition: asSent(fromJson(row.condition)) }),
  };
}

/** An expired token is `expired` even when disabled. */
export function statusOf(row: TokenRow, now: Date): Token["status"] {
  return windowPhase(timeWindowOf(row), now.getTime()) === "over" ? "expired" : row.status;
}

/** With the keys that were sent. */
function asSent({ sentAs = ["request.ip"], ...addresses }: SentCondition): NonNullable<Token["condition"]> {
  const body = {
    ...(addresses.in && { in: [...addresses.in] }),
    ...(addresses.not_in && { not_in: [...addresses.not_in] }),
  };
  return Object.fromEntries(sentAs.map((key) => [key, body]));
}

/** The public service answers the times of tokens in whole seconds. */
function inSeconds(time: Timestamp): string {
  return `${time.slice(0, 19)}Z`;
}
