import type {
  CreateTokenBody,
  ReplaceTokenBody,
  Token,
  TokenPermissionGroup,
  TokenUsage,
} from "../../../src/resources/tokens/schema.ts";
import { path, type ApiCall } from "./call.ts";

export type { CreateTokenBody, Token, TokenPermissionGroup, TokenUsage };

/** A token with its secret, which no later call answers. */
export type CreatedToken = Token & { readonly value: string };

/** Whose tokens they are, as a path of the API: `userPath`, or `accountPath`. */
type OwnerPath = string;

export const userPath: OwnerPath = "/user";

export const tokensPath = (owner: OwnerPath): string => `${owner}/tokens`;
const tokenPath = (owner: OwnerPath, tokenId: string): string => tokensPath(owner) + path`/${tokenId}`;

interface ListTokensQuery {
  readonly page: number;
  readonly per_page: number;
  readonly include_expired: boolean;
}

export const listTokens = (owner: OwnerPath, query: ListTokensQuery): ApiCall<Token[]> => ({
  method: "GET",
  path: tokensPath(owner),
  query: { ...query },
});

export const tokenOf = (owner: OwnerPath, tokenId: string): ApiCall<Token> => ({
  method: "GET",
  path: tokenPath(owner, tokenId),
});

export const tokenUsageOf = (owner: OwnerPath, tokenId: string): ApiCall<TokenUsage> => ({
  method: "GET",
  path: `${tokenPath(owner, tokenId)}/usage`,
});

export const listPermissionGroups = (owner: OwnerPath): ApiCall<TokenPermissionGroup[]> => ({
  method: "GET",
  path: `${tokensPath(owner)}/permission_groups`,
});

export const createToken = (owner: OwnerPath, body: CreateTokenBody): ApiCall<CreatedToken> => ({
  method: "POST",
  path: tokensPath(owner),
  body,
});

export const replaceToken = (owner: OwnerPath, tokenId: string, body: ReplaceTokenBody): ApiCall<Token> => ({
  method: "PUT",
  path: tokenPath(owner, tokenId),
  body,
});

/** Answers the new secret. */
export const rollToken = (owner: OwnerPath, tokenId: string): ApiCall<string> => ({
  method: "PUT",
  path: `${tokenPath(owner, tokenId)}/value`,
  body: {},
});

export const deleteToken = (owner: OwnerPath, tokenId: string): ApiCall<{ id: string }> => ({
  method: "DELETE",
  path: tokenPath(owner, tokenId),
});

/** Asks with a token whether it is good. */
export const verifyToken = (owner: OwnerPath): ApiCall<{ id: string; status: string }> => ({
  method: "GET",
  path: `${tokensPath(owner)}/verify`,
});
