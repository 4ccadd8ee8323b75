import type { Grantors } from "./grantors.ts";
import type { Grants } from "./grants.ts";

/** The owner of the credentials of a request, and its permissions. */
export interface Identity {
  /** Undefined for a token that an account owns. */
  readonly user: { readonly id: string; readonly email: string } | undefined;
  readonly credential: Credential;
  /** Accounts that the owner of the credential reaches, the oldest first. */
  readonly accountIds: readonly string[];
  readonly grants: Grants;
  /**
   * The members whose rights limit the rights that it can delegate in an account
   * (docs/decisions/0004-initial-token.md).
   */
  readonly grantors: Grantors;
}

/** `key` (e-mail and Global API Key) and `session` (a browser) have all rights of their user. */
export type Credential =
  | { readonly kind: "key" }
  | { readonly kind: "session" }
  | {
      readonly kind: "token";
      readonly tokenId: string;
      readonly accountId: string | undefined;
    };

/**
 * The key of the share of the process that a caller counts towards: one for all credentials of a user, one
 * for all tokens that an account owns.
 */
export function partyOf({ user, credential }: Pick<Identity, "user" | "credential">): string {
  return user?.id ?? (credential.kind === "token" ? (credential.accountId ?? "") : "");
}

export interface Caller extends Identity {
  /** The address of the connection, or the one that trusted proxies report. */
  readonly address: string;
  /** Receives the id of the first audit log entry, which the answer shows. */
  readonly noteAuditLog: (id: string) => void;
}
