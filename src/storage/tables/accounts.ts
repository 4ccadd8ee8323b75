import type { AddressCondition, ConditionKey } from "../../core/policy/conditions.ts";
import type { Policy } from "../../core/policy/grants.ts";
import type { MemberPolicy } from "../../core/policy/member-policies.ts";
import type { ResourceScope } from "../../core/policy/resource-keys.ts";
import type { Flag, Json, Timestamp } from "../columns.ts";

export interface UserRow {
  id: string;
  email: string;
  /** `email` as `foldEmail` makes it: unique, and named by memberships. */
  email_folded: string;
  username: string;
  first_name: string | null;
  last_name: string | null;
  telephone: string | null;
  country: string | null;
  zipcode: string | null;
  /** SHA-256 of the Global API Key, hexadecimal. */
  key_hash: string;
  /** Since when signing in requires a second factor; null for a user without one. */
  second_factor_since: Timestamp | null;
  created_on: Timestamp;
  modified_on: Timestamp;
}

export interface AccountRow {
  id: string;
  name: string;
  /** `name` in lower case, for filters. */
  name_folded: string;
  /** Null: `standard`. */
  type: "standard" | "enterprise" | null;
  abuse_contact_email: string | null;
  /** Whether it is closed to members without a second factor; null: no. */
  enforces_two_factor: Flag | null;
  created_on: Timestamp;
}

/** A user's place in an account; an invite while it is `pending`. */
export interface MembershipRow {
  id: string;
  account_id: string;
  /** Null until the user of the e-mail accepts. */
  user_id: string | null;
  /** E-mail of the member, lower case: unique in an account. */
  email_folded: string;
  status: "accepted" | "pending" | "rejected";
  /** Ids of roles; none where there are policies. */
  roles: Json<string[]>;
  /** Null for a member that has roles. */
  policies: Json<MemberPolicy[]> | null;
  /** E-mail of the sender of the invite; null for the owner of a new account. */
  invited_by: string | null;
  /** Of an invite: ids of the users whose rights bound what it grants on acceptance; null where unknown. */
  grantors: Json<string[]> | null;
  /** Hash of the token of the link by which the invited person becomes a user; null where there is none in force. */
  link_hash: string | null;
  /** Until when an invite can be answered; null if there was no invite. */
  expires_on: Timestamp | null;
  /** When it was created, or the invite sent. */
  created_on: Timestamp;
}

/** Zones of an account, or all of it, for policies of members. */
export interface UserGroupRow {
  id: string;
  account_id: string;
  name: string;
  /** In lower case, for searches. */
  name_folded: string;
  /** Null where none were sent. */
  policies: Json<MemberPolicy[]> | null;
  created_on: Timestamp;
  modified_on: Timestamp;
}

export interface UserGroupMemberRow {
  user_group_id: string;
  membership_id: string;
  /** Ids of the users whose rights bounded what the group gave the member when it came; null where unknown. */
  grantors: Json<string[]> | null;
  created_on: Timestamp;
}

export interface ResourceGroupRow {
  id: string;
  account_id: string;
  name: string;
  scopes: Json<ResourceScope[]>;
  created_on: Timestamp;
}

/** The condition of a token, and the keys under which it was sent; `request.ip` in rows without them. */
export type SentCondition = AddressCondition & { readonly sentAs?: readonly ConditionKey[] };

/** An API token: of a user, or of an account. */
export interface TokenRow {
  id: string;
  user_id: string | null;
  account_id: string | null;
  name: string;
  status: "active" | "disabled";
  /** SHA-256 of the secret, hexadecimal. */
  secret_hash: string;
  policies: Json<Policy[]>;
  /** For a token of an account: the ids of its grantors, null where they are unknown. Null for one of a user. */
  grantors: Json<string[]> | null;
  /** As it was sent. */
  condition: Json<SentCondition> | null;
  /** `YYYY-MM-DDThh:mm:ssZ`, as it was sent. */
  not_before: string | null;
  expires_on: string | null;
  issued_on: Timestamp;
  modified_on: Timestamp;
  last_used_on: Timestamp | null;
}

/** The requests that carried a token on one day. */
export interface TokenUsageRow {
  token_id: string;
  /** In UTC, `2026-01-02`. */
  day: string;
  requests: number;
}
