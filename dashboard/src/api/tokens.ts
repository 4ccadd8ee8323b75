import type {
  CreateTokenBody,
  ReplaceTokenBody,
  Token,
  TokenPermissionGroup,
} from "../../../src/resources/tokens/schema.ts";
import { path, type ApiCall } from "./call.ts";

export type { CreateTokenBody, Token, TokenPermissionGroup };

/** A token with its secret, which no later call answers. */
export type CreatedToken = Token & { readonly value: string };

export const tokensPath = "/user/tokens";
const tokenPath = (tokenId: string): string => path`/user/tokens/${tokenId}`;

interface ListTokensQuery {
  readonly page: number;
  readonly per_page: number;
  readonly include_expired: boolean;
}

export const listTokens = (query: ListTokensQuery): ApiCall<Token[]> => ({
  method: "GET",
  path: tokensPath,
  query: { ...query },
});

export const tokenOf = (tokenId: string): ApiCall<Token> => ({ method: "GET", path: tokenPath(tokenId) });

export const listPermissionGroups: ApiCall<TokenPermissionGroup[]> = {
  method: "GET",
  path: "/user/tokens/permission_groups",
};

export const createToken = (body: CreateTokenBody): ApiCall<CreatedToken> => ({
  method: "POST",
  path: tokensPath,
  body,
});

export const replaceToken = (tokenId: string, body: ReplaceTokenBody): ApiCall<Token> => ({
  method: "PUT",
  path: tokenPath(tokenId),
  body,
});

/** Answers the new secret. */
export const rollToken = (tokenId: string): ApiCall<string> => ({
  method: "PUT",
  path: path`/user/tokens/${tokenId}/value`,
  body: {},
});

export const deleteToken = (tokenId: string): ApiCall<{ id: string }> => ({
  method: "DELETE",
  path: tokenPath(tokenId),
});

/** Asks with a token whether it is good. */
export const verifyToken: ApiCall<{ id: string; status: string }> = {
  method: "GET",
  path: "/user/tokens/verify",
};
