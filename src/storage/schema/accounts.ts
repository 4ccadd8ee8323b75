import type { AddressCondition, ConditionKey } from "../../core/policy/conditions.ts";
import type { Policy } from "../../core/policy/grants.ts";
import type { MemberPolicy } from "../../core/policy/member-policies.ts";
import type { ResourceScope } from "../../core/policy/resource-keys.ts";
import {
  flag,
  integer,
  json,
  nullable,
  reference,
  table,
  text,
  timestamp,
  withDefault,
  type Row,
} from "./table.ts";

/** The condition of a token, and the keys under which it was sent; `request.ip` in rows without them. */
export type SentCondition = AddressCondition & { readonly sentAs?: readonly ConditionKey[] };

export const accountTables = {
  users: table(
    {
      id: text(),
      email: text(),
      /** `email` as `foldEmail` makes it: unique, and named by memberships. */
      email_folded: text(),
      username: text(),
      first_name: nullable(text()),
      last_name: nullable(text()),
      telephone: nullable(text()),
      country: nullable(text()),
      zipcode: nullable(text()),
      /** SHA-256 of the Global API Key, hexadecimal. */
      key_hash: text(),
      /** Since when signing in requires a second factor; null for a user without one. */
      second_factor_since: nullable(timestamp()),
      created_on: timestamp(),
      modified_on: timestamp(),
    },
    {
      indexes: [
        { on: ["email_folded"], isUnique: true },
        { on: ["key_hash"], isUnique: true },
      ],
    },
  ),
  accounts: table({
    id: text(),
    name: text(),
    /** `name` in lower case, for filters. */
    name_folded: text(),
    /** Null: `standard`. */
    type: nullable(text<"standard" | "enterprise">()),
    abuse_contact_email: nullable(text()),
    /** Whether it is closed to members without a second factor; null: no. */
    enforces_two_factor: nullable(flag()),
    created_on: timestamp(),
    /** Versions of its parts, each another one after every change (docs/design/storage.md#what-changed). */
    rules_version: withDefault(integer(), 0),
    dns_version: withDefault(integer(), 0),
  }),
  /** A user's place in an account; an invite while it is `pending`. */
  memberships: table(
    {
      id: text(),
      account_id: reference("accounts", "cascade"),
      /** Null until the user of the e-mail accepts. */
      user_id: nullable(reference("users", "cascade")),
      /** E-mail of the member, lower case: unique in an account. */
      email_folded: text(),
      status: text<"accepted" | "pending" | "rejected">(),
      /** Ids of roles; none where there are policies. */
      roles: json<string[]>(),
      /** Null for a member that has roles. */
      policies: nullable(json<MemberPolicy[]>()),
      /** E-mail of the sender of the invite; null for the owner of a new account. */
      invited_by: nullable(text()),
      /** Ids of the users whose rights bound what an invite grants on acceptance; null where unknown. */
      grantors: nullable(json<string[]>()),
      /**
       * Hash of the token of the link by which the invited person becomes a user; null where there is none in force.
       */
      link_hash: nullable(text()),
      /** Until when an invite can be answered; null if there was no invite. */
      expires_on: nullable(timestamp()),
      /** The time of its creation, or of the invite. */
      created_on: timestamp(),
    },
    {
      indexes: [
        { on: ["account_id", "email_folded"], isUnique: true },
        { on: ["user_id"] },
        { on: ["email_folded"] },
        { on: ["link_hash"], isUnique: true },
      ],
    },
  ),
  /** Zones of an account, or all of it, for policies of members. */
  user_groups: table(
    {
      id: text(),
      account_id: reference("accounts", "cascade"),
      name: text(),
      /** In lower case, for searches. */
      name_folded: text(),
      /** Null where none were sent. */
      policies: nullable(json<MemberPolicy[]>()),
      created_on: timestamp(),
      modified_on: timestamp(),
    },
    { indexes: [{ on: ["account_id", "name_folded"] }] },
  ),
  user_group_members: table(
    {
      user_group_id: reference("user_groups", "cascade"),
      membership_id: reference("memberships", "cascade"),
      /** Ids of the users whose rights bounded what the group gave the member when it came; null where unknown. */
      grantors: nullable(json<string[]>()),
      created_on: timestamp(),
    },
    { key: ["user_group_id", "membership_id"], indexes: [{ on: ["membership_id"] }] },
  ),
  resource_groups: table(
    {
      id: text(),
      account_id: reference("accounts", "cascade"),
      name: text(),
      scopes: json<ResourceScope[]>(),
      created_on: timestamp(),
    },
    { indexes: [{ on: ["account_id", "name"] }] },
  ),
  tokens: table(
    {
      id: text(),
      user_id: nullable(reference("users", "cascade")),
      account_id: nullable(reference("accounts", "cascade")),
      name: text(),
      status: text<"active" | "disabled">(),
      /** SHA-256 of the secret, hexadecimal. */
      secret_hash: text(),
      policies: json<Policy[]>(),
      /** For a token of an account: the ids of its grantors, null where they are unknown. Null for one of a user. */
      grantors: nullable(json<string[]>()),
      /** In the notation of the client. */
      condition: nullable(json<SentCondition>()),
      /** `YYYY-MM-DDThh:mm:ssZ`, as it was sent. */
      not_before: nullable(text()),
      expires_on: nullable(text()),
      issued_on: timestamp(),
      modified_on: timestamp(),
      last_used_on: nullable(timestamp()),
    },
    {
      indexes: [
        { on: ["secret_hash"], isUnique: true },
        { on: ["user_id", "id"] },
        { on: ["account_id", "id"] },
      ],
    },
  ),
  /** The requests that carried a token on one day. */
  token_usage: table(
    {
      token_id: reference("tokens", "cascade"),
      /** In UTC, `2026-01-02`. */
      day: text(),
      requests: integer(),
    },
    { key: ["token_id", "day"], indexes: [{ on: ["day"] }] },
  ),
};

export type UserRow = Row<typeof accountTables.users>;
export type AccountRow = Row<typeof accountTables.accounts>;
export type MembershipRow = Row<typeof accountTables.memberships>;
export type UserGroupRow = Row<typeof accountTables.user_groups>;
export type UserGroupMemberRow = Row<typeof accountTables.user_group_members>;
export type ResourceGroupRow = Row<typeof accountTables.resource_groups>;
export type TokenRow = Row<typeof accountTables.tokens>;
export type TokenUsageRow = Row<typeof accountTables.token_usage>;
