import { Type } from "@sinclair/typebox";

import type { Caller } from "../../core/caller.ts";
import { onAccount, onUser } from "../../core/policy/permission.ts";
import { listRoute, route, type Message, type Route } from "../../http/route.ts";
import { credentialsRoute } from "../../http/routes-without-caller.ts";
import {
  CreatedToken,
  CreateTokenBody,
  ListPermissionGroupsQuery,
  ListTokensQuery,
  ReplaceTokenBody,
  Token,
  TokenId,
  TokenPermissionGroup,
  TokenSecret,
  TokenVerification,
} from "./schema.ts";
import {
  createToken,
  deleteToken,
  getToken,
  listPermissionGroups,
  listTokens,
  replaceToken,
  rollToken,
  verifyToken,
  type TokenContext,
  type TokenOwner,
} from "./tokens.ts";

const isValid: Message = { code: 10000, message: "This API Token is valid and active" };
const adviceCode = 10001;
/** Whatever is wrong with a token has this code. */
const bodyErrorCode = 1001;
const list = { orderings: ["issued_on", "name"], perPageMax: 1_000 } as const;

/** The tokens of the calling user, and those of an account: the same operations on both. */
export function tokenRoutes(context: TokenContext): Route[] {
  return [...userTokenRoutes(context), ...accountTokenRoutes(context)];
}

function userTokenRoutes(context: TokenContext): Route[] {
  const ofUser = (caller: Caller): TokenOwner => ({ userId: caller.user?.id ?? "" });
  const read = onUser("API Tokens Read");
  const write = onUser("API Tokens Write");
  return [
    listRoute({
      operation: "listTokens",
      summary: "List the caller's API tokens",
      path: "/user/tokens",
      permission: read,
      query: ListTokensQuery,
      result: Token,
      list,
      handle: ({ caller, query, page }) => listTokens(context, ofUser(caller), query, page),
    }),
    route({
      operation: "createToken",
      summary: "Create an API token; its secret is answered only this once",
      method: "POST",
      path: "/user/tokens",
      permission: write,
      schemes: ["token", "session"],
      body: CreateTokenBody,
      bodyErrorCode,
      result: CreatedToken,
      handle: async ({ caller, body }) => {
        const { token, advice } = await createToken(context, caller, ofUser(caller), body);
        return { result: token, messages: advice.map(toMessage) };
      },
    }),
    credentialsRoute({
      operation: "verifyToken",
      summary: "Check the token that the request carries",
      path: "/user/tokens/verify",
      result: TokenVerification,
      handle: async ({ credentials, address }) => ({
        result: await verifyToken(context, credentials.token, { address }),
        messages: [isValid],
      }),
    }),
    route({
      operation: "listPermissionGroups",
      summary: "List the permission groups for policies of a token",
      method: "GET",
      path: "/user/tokens/permission_groups",
      permission: read,
      query: ListPermissionGroupsQuery,
      result: Type.Array(TokenPermissionGroup),
      handle: async ({ query }) => ({ result: listPermissionGroups(context, query) }),
    }),
    route({
      operation: "getToken",
      summary: "Get one of the caller's API tokens",
      method: "GET",
      path: "/user/tokens/{token_id}",
      permission: read,
      result: Token,
      handle: async ({ caller, params }) => ({
        result: await getToken(context, ofUser(caller), params.token_id),
      }),
    }),
    route({
      operation: "replaceToken",
      summary: "Replace an API token, except its secret",
      method: "PUT",
      path: "/user/tokens/{token_id}",
      permission: write,
      body: ReplaceTokenBody,
      bodyErrorCode,
      result: Token,
      handle: async ({ caller, params, body }) => ({
        result: await replaceToken(context, caller, ofUser(caller), params.token_id, body),
      }),
    }),
    route({
      operation: "deleteToken",
      summary: "Delete an API token",
      method: "DELETE",
      path: "/user/tokens/{token_id}",
      permission: write,
      result: TokenId,
      handle: async ({ caller, params }) => ({
        result: await deleteToken(context, caller, ofUser(caller), params.token_id),
      }),
    }),
    route({
      operation: "rollToken",
      summary: "Give an API token a new secret",
      method: "PUT",
      path: "/user/tokens/{token_id}/value",
      permission: write,
      result: TokenSecret,
      handle: async ({ caller, params }) => ({
        result: await rollToken(context, caller, ofUser(caller), params.token_id),
      }),
    }),
  ];
}

function accountTokenRoutes(context: TokenContext): Route[] {
  const read = onAccount("Account API Tokens Read");
  const write = onAccount("Account API Tokens Write");
  const ofAccount = (accountId: string): TokenOwner => ({ accountId });
  return [
    listRoute({
      operation: "listAccountTokens",
      summary: "List the API tokens that an account owns",
      path: "/accounts/{account_id}/tokens",
      permission: read,
      query: ListTokensQuery,
      result: Token,
      list,
      handle: ({ params, query, page }) => listTokens(context, ofAccount(params.account_id), query, page),
    }),
    route({
      operation: "createAccountToken",
      summary: "Create an API token that an account owns; its secret is answered only this once",
      method: "POST",
      path: "/accounts/{account_id}/tokens",
      permission: write,
      schemes: ["token", "session"],
      body: CreateTokenBody,
      bodyErrorCode,
      result: CreatedToken,
      handle: async ({ caller, params, body }) => {
        const { token, advice } = await createToken(context, caller, ofAccount(params.account_id), body);
        return { result: token, messages: advice.map(toMessage) };
      },
    }),
    credentialsRoute({
      operation: "verifyAccountToken",
      summary: "Check the account token that the request carries",
      path: "/accounts/{account_id}/tokens/verify",
      result: TokenVerification,
      handle: async ({ credentials, params, address }) => ({
        result: await verifyToken(context, credentials.token, { address, accountId: params.account_id }),
        messages: [isValid],
      }),
    }),
    route({
      operation: "listAccountPermissionGroups",
      summary: "List the permission groups for policies of an account's token",
      method: "GET",
      path: "/accounts/{account_id}/tokens/permission_groups",
      permission: read,
      query: ListPermissionGroupsQuery,
      result: Type.Array(TokenPermissionGroup),
      handle: async ({ query }) => ({ result: listPermissionGroups(context, query) }),
    }),
    route({
      operation: "getAccountToken",
      summary: "Get an API token of an account",
      method: "GET",
      path: "/accounts/{account_id}/tokens/{token_id}",
      permission: read,
      result: Token,
      handle: async ({ params }) => ({
        result: await getToken(context, ofAccount(params.account_id), params.token_id),
      }),
    }),
    route({
      operation: "replaceAccountToken",
      summary: "Replace an API token of an account, except its secret",
      method: "PUT",
      path: "/accounts/{account_id}/tokens/{token_id}",
      permission: write,
      body: ReplaceTokenBody,
      bodyErrorCode,
      result: Token,
      handle: async ({ caller, params, body }) => ({
        result: await replaceToken(context, caller, ofAccount(params.account_id), params.token_id, body),
      }),
    }),
    route({
      operation: "deleteAccountToken",
      summary: "Delete an API token of an account",
      method: "DELETE",
      path: "/accounts/{account_id}/tokens/{token_id}",
      permission: write,
      result: TokenId,
      handle: async ({ caller, params }) => ({
        result: await deleteToken(context, caller, ofAccount(params.account_id), params.token_id),
      }),
    }),
    route({
      operation: "rollAccountToken",
      summary: "Give an API token of an account a new secret",
      method: "PUT",
      path: "/accounts/{account_id}/tokens/{token_id}/value",
      permission: write,
      result: TokenSecret,
      handle: async ({ caller, params }) => ({
        result: await rollToken(context, caller, ofAccount(params.account_id), params.token_id),
      }),
    }),
  ];
}

function toMessage(message: string): Message {
  return { code: adviceCode, message };
}
