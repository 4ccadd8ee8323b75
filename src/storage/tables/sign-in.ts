import type { Flag, Json, Sealed, Timestamp } from "../columns.ts";

/** The password of a user; users without a row have none yet. */
export interface PasswordRow {
  user_id: string;
  /** Argon2id, in the PHC string format. */
  hash: string;
}

/** A browser that is signed in. */
export interface SessionRow {
  /** SHA-256 of the id that the cookie holds, hexadecimal. */
  id_hash: string;
  user_id: string;
  /** When a request last used it, updated with a delay of some seconds. */
  used_on: Timestamp;
  /** When it ends even if it is in use. */
  expires_on: Timestamp;
  /** When and from which address it began; null where it began before these were stored. */
  started_on: Timestamp | null;
  address: string | null;
  /**
   * Whether the user signed in through an identity provider, which then checks second factors too; null: no.
   */
  by_provider: Flag | null;
}

/** A link that lets a user set its password, once. */
export interface SignInLinkRow {
  /** SHA-256 of its token, hexadecimal. */
  token_hash: string;
  user_id: string;
  expires_on: Timestamp;
}

/** An encrypted Global API Key, which can be shown again; obsolete if the user has another one by now. */
export interface KeptApiKeyRow {
  user_id: string;
  api_key: Sealed;
}

/** The secret of a user's authenticator app. */
export interface TotpSecretRow {
  user_id: string;
  /** In base32. */
  secret: Sealed;
  /** Null until the user has shown that the app has it. */
  confirmed_on: Timestamp | null;
  /** The time step of the last code that was accepted: neither it nor an earlier one is accepted again. */
  used_step: number;
}

/** A code that stands in for the second factor, once. */
export interface RecoveryCodeRow {
  user_id: string;
  /** SHA-256, hexadecimal. */
  code_hash: string;
}

/** A WebAuthn credential. */
export interface PasskeyRow {
  id: string;
  user_id: string;
  /** What the authenticator calls it, base64url. */
  credential_id: string;
  /** A COSE key, base64url. */
  public_key: string;
  /** How often the authenticator says that it has signed, at most 2^31 - 1; 0 for one that does not count. */
  signature_count: number;
  transports: Json<string[]>;
  /** The host name that it is for (`rpId`). */
  site: string;
  /** Of the user's choice. */
  name: string;
  created_on: Timestamp;
  last_used_on: Timestamp | null;
}

/** What a browser has to answer next: to sign in, or to add a passkey. */
export interface SignInChallengeRow {
  /** SHA-256 of its token, hexadecimal. */
  token_hash: string;
  user_id: string;
  purpose: "sign-in" | "new-passkey";
  /** What a passkey has to sign, base64url. */
  challenge: string;
  expires_on: Timestamp;
}
