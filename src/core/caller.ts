import type { Grantors } from "./policy/delegation.ts";
import type { Grants } from "./policy/grants.ts";

/** Who the valid credentials of a request belong to, and what they permit. */
export interface Identity {
  /** The user behind the credentials; undefined for a token that an account owns. */
  readonly user: { readonly id: string; readonly email: string } | undefined;
  readonly credential: Credential;
  /** Accounts that the owner of the credential reaches, the oldest first. */
  readonly accountIds: readonly string[];
  /** What the credential may do, within what its owner may. */
  readonly grants: Grants;
  /** Whose rights bound what it can hand on in an account (docs/decisions/0004-initial-token.md). */
  readonly grantors: Grantors;
}

/** `key` is e-mail and Global API Key, `session` a browser that signed in: either has all rights of its user. */
export type Credential =
  | { readonly kind: "key" }
  | { readonly kind: "session" }
  | {
      readonly kind: "token";
      readonly tokenId: string;
      /** The account that owns it; undefined where a user does. */
      readonly accountId: string | undefined;
    };

/** Who a request acts as. */
export interface Caller extends Identity {
  /** The client's address: of the connection, or as trusted proxies name it. */
  readonly address: string;
  /** Receives the id of the audit log entry for what the request changed; the answer shows it. */
  readonly noteAuditLog: (id: string) => void;
}
