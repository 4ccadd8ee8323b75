import type { Caller } from "../../core/policy/caller.ts";
import { onAccount, onUser, type Permission } from "../../core/policy/permission.ts";
import type { ReadWork, ScopeKind, WriteWork } from "../../operation/scoped.ts";
import { lockOwner, type TokenOwner } from "./token.ts";
import type { TokenContext } from "./tokens.ts";

interface TokenScope {
  readonly owner: TokenOwner;
}

export type TokenRead = ReadWork<TokenScope, TokenContext>;
export type TokenWrite = WriteWork<TokenScope, TokenContext>;

type TokenScopeKind = ScopeKind<TokenScope, "read" | "write">;

/** The levels at which the token operations exist: the calling user, and an account. */
export const levels = [
  {
    names: {
      list: "listTokens",
      create: "createToken",
      verify: "verifyToken",
      listPermissionGroups: "listPermissionGroups",
      get: "getToken",
      usage: "getTokenUsage",
      replace: "replaceToken",
      delete: "deleteToken",
      roll: "rollToken",
    },
    prefix: "/user",
    of: "the calling user",
    kind: kindOf({
      read: onUser("API Tokens Read"),
      write: onUser("API Tokens Write"),
      ofRequest: ({ caller }) => ({ owner: { userId: (caller as Caller).user?.id ?? "" } }),
    }),
  },
  {
    names: {
      list: "listAccountTokens",
      create: "createAccountToken",
      verify: "verifyAccountToken",
      listPermissionGroups: "listAccountPermissionGroups",
      get: "getAccountToken",
      usage: "getAccountTokenUsage",
      replace: "replaceAccountToken",
      delete: "deleteAccountToken",
      roll: "rollAccountToken",
    },
    prefix: "/accounts/{account_id}",
    of: "an account",
    kind: kindOf({
      read: onAccount("Account API Tokens Read"),
      write: onAccount("Account API Tokens Write"),
      ofRequest: ({ params }) => ({ owner: { accountId: params["account_id"] ?? "" } }),
    }),
  },
] as const;

export type Level = (typeof levels)[number];

function kindOf({
  read,
  write,
  ofRequest,
}: {
  readonly read: Permission;
  readonly write: Permission;
  readonly ofRequest: TokenScopeKind["ofRequest"];
}): TokenScopeKind {
  return {
    permission: (name) => (name === "read" ? read : write),
    ofRequest,
    lock: async (tx, request) => {
      const scope = ofRequest(request);
      await lockOwner(tx, scope.owner);
      return scope;
    },
    owner: ({ owner }) => owner,
  };
}
