import type { Kysely } from "kysely";

import type { Flag, Json, Timestamp } from "./columns.ts";

/** The schema on one page. Ids are 32 hexadecimal characters. */
export interface Tables {
  users: UserRow;
  accounts: AccountRow;
  memberships: MembershipRow;
  tokens: TokenRow;
  zones: ZoneRow;
  dns_records: DnsRecordRow;
  dns_record_tags: DnsRecordTagRow;
  zone_settings: ZoneSettingRow;
  zone_subscriptions: ZoneSubscriptionRow;
  zone_holds: ZoneHoldRow;
}

/** A connection to either engine, or a transaction on it. */
export type Db = Kysely<Tables>;

export interface UserRow {
  id: string;
  email: string;
  username: string;
  first_name: string | null;
  last_name: string | null;
  telephone: string | null;
  country: string | null;
  zipcode: string | null;
  /** SHA-256 of the Global API Key, hexadecimal. */
  key_hash: string;
  created_on: Timestamp;
  modified_on: Timestamp;
}

export interface AccountRow {
  id: string;
  name: string;
  /** `name` in lower case: what filters compare. */
  name_folded: string;
  created_on: Timestamp;
}

export interface MembershipRow {
  id: string;
  account_id: string;
  user_id: string;
  status: "accepted" | "pending" | "rejected";
  /** Names of roles. */
  roles: Json<string[]>;
  created_on: Timestamp;
}

export interface TokenRow {
  id: string;
  user_id: string;
  name: string;
  status: "active" | "disabled";
  /** SHA-256 of the secret, hexadecimal. */
  secret_hash: string;
  issued_on: Timestamp;
  modified_on: Timestamp;
}

export interface ZoneRow {
  id: string;
  account_id: string;
  /** ASCII, lower case. */
  name: string;
  type: "full" | "partial" | "secondary" | "internal";
  status: "initializing" | "pending" | "active" | "moved";
  paused: Flag;
  plan: "free" | "pro" | "business" | "enterprise";
  vanity_name_servers: Json<string[]>;
  /** The delegation that was found before the zone came here; null until it was looked up. */
  original_name_servers: Json<string[]> | null;
  verification_key: string | null;
  /** Kept by every change of records, so that no list counts rows. */
  dns_record_count: number;
  /** Goes up with every change of its records: what was read of them is true while it stays. */
  dns_records_version: number;
  /** When development mode ends, or last did; null until it was first turned on. */
  development_mode_ends_on: Timestamp | null;
  created_on: Timestamp;
  modified_on: Timestamp;
  activated_on: Timestamp | null;
  /** When its delegation was last looked up. */
  checked_on: Timestamp | null;
}

export interface DnsRecordRow {
  id: string;
  zone_id: string;
  name: string;
  type: string;
  /** Lower case: what filters compare. */
  content_folded: string;
  /** The first characters of `content_folded`, short enough for an index of either engine. */
  content_prefix: string;
  ttl: number;
  proxied: Flag;
  /** Lower case; null without a comment. */
  comment_folded: string | null;
  /** SHA-256 of what makes two records the same one. */
  identity: string;
  /** The record as the API answers it: compact JSON, `id` first. The columns beside it are its keys. */
  record: string;
}

/** One row a tag, both columns in lower case. */
export interface DnsRecordTagRow {
  record_id: string;
  tag_name: string;
  tag_value: string;
}

/** A setting that was changed; one without a row has its default. */
export interface ZoneSettingRow {
  zone_id: string;
  /** Name of the setting, `browser_cache_ttl`. */
  setting: string;
  value: Json<unknown>;
  modified_on: Timestamp;
}

/** What was last subscribed to; the plan itself is in the zone. */
export interface ZoneSubscriptionRow {
  zone_id: string;
  /** As it was sent, `CF_PRO_20_20`. */
  rate_plan: string;
  frequency: "weekly" | "monthly" | "quarterly" | "yearly";
  started_on: Timestamp;
}

export interface ZoneHoldRow {
  zone_id: string;
  /** The zone is held from then on; null is never. */
  hold_after: Timestamp | null;
  include_subdomains: Flag;
}
