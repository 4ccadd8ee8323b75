import type { Grantors } from "../../core/policy/delegation.ts";
import type { Policy } from "../../core/policy/grants.ts";
import type { ParsedPolicy } from "../../core/policy/parse-policies.ts";
import { hashSecret } from "../../secrets/secrets.ts";
import { fromJson, toJson, toTimestamp } from "../../storage/columns.ts";
import type { TokenRow } from "../../storage/schema/accounts.ts";
import type { Context } from "../../operation/context.ts";
import type { TokenOwner } from "./owner.ts";

type NewToken = Pick<TokenRow, "name" | "condition" | "not_before" | "expires_on"> & {
  readonly status?: TokenRow["status"];
  readonly policies: readonly Policy[];
  /** Of account tokens; user tokens are limited by their user. */
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
