import {
  flag,
  integer,
  json,
  nullable,
  reference,
  sealed,
  table,
  text,
  timestamp,
  type Row,
} from "./table.ts";

export const signInTables = {
  /** The password of a user; users without a row have none yet. */
  passwords: table({
    user_id: reference("users", "cascade"),
    /** Argon2id, in the PHC string format. */
    hash: text(),
  }),
  /** A browser that is signed in. */
  sessions: table(
    {
      /** SHA-256 of the id that the cookie holds, hexadecimal. */
      id_hash: text(),
      user_id: reference("users", "cascade"),
      /** The time of the last request that used it, updated with a delay of some seconds. */
      used_on: timestamp(),
      /** The end also of a session in use. */
      expires_on: timestamp(),
      /** Null where it began before time and address were stored. */
      started_on: nullable(timestamp()),
      address: nullable(text()),
      /**
       * Whether the user signed in through an identity provider, which then checks second factors too; null: no.
       */
      by_provider: nullable(flag()),
    },
    { indexes: [{ on: ["user_id"] }] },
  ),
  /** A link that lets a user set its password, once. */
  sign_in_links: table(
    {
      /** SHA-256 of its token, hexadecimal. */
      token_hash: text(),
      user_id: reference("users", "cascade"),
      expires_on: timestamp(),
    },
    { indexes: [{ on: ["user_id"] }] },
  ),
  /** An encrypted Global API Key, which can be shown again; obsolete if the user has another one by now. */
  kept_api_keys: table({
    user_id: reference("users", "cascade"),
    api_key: sealed(),
  }),
  /** The secret of a user's authenticator app. */
  totp_secrets: table({
    user_id: reference("users", "cascade"),
    /** In base32. */
    secret: sealed(),
    /** Null until the user has shown that the app has it. */
    confirmed_on: nullable(timestamp()),
    /** The time step of the last code that was accepted: neither it nor an earlier one is accepted again. */
    used_step: integer(),
  }),
  /** A code that stands in for the second factor, once. */
  recovery_codes: table(
    {
      user_id: reference("users", "cascade"),
      /** SHA-256, hexadecimal. */
      code_hash: text(),
    },
    { key: ["user_id", "code_hash"] },
  ),
  passkeys: table(
    {
      id: text(),
      user_id: reference("users", "cascade"),
      /** The id that the authenticator gave it, base64url. */
      credential_id: text(),
      /** A COSE key, base64url. */
      public_key: text(),
      /** The number of signatures by the authenticator's count, at most 2^31 - 1; 0 for one that does not count. */
      signature_count: integer(),
      transports: json<string[]>(),
      /** The host name that it is for (`rpId`). */
      site: text(),
      /** Chosen by the user. */
      name: text(),
      created_on: timestamp(),
      last_used_on: nullable(timestamp()),
    },
    { indexes: [{ on: ["credential_id"], isUnique: true }, { on: ["user_id"] }] },
  ),
  /** The next answer that a browser owes: to sign in, or to add a passkey. */
  sign_in_challenges: table(
    {
      /** SHA-256 of its token, hexadecimal. */
      token_hash: text(),
      user_id: reference("users", "cascade"),
      purpose: text<"sign-in" | "new-passkey">(),
      /** The octets that a passkey has to sign, base64url. */
      challenge: text(),
      expires_on: timestamp(),
    },
    { indexes: [{ on: ["user_id"] }] },
  ),
};

export type SessionRow = Row<typeof signInTables.sessions>;
export type SignInLinkRow = Row<typeof signInTables.sign_in_links>;
export type PasskeyRow = Row<typeof signInTables.passkeys>;
export type SignInChallengeRow = Row<typeof signInTables.sign_in_challenges>;
