import type { Flag, Json, Timestamp } from "../columns.ts";

export interface ZoneRow {
  id: string;
  account_id: string;
  /** ASCII, lower case. */
  name: string;
  /** The same in Unicode; null where nothing differs. */
  unicode_name: string | null;
  type: "full" | "partial" | "secondary" | "internal";
  status: "initializing" | "pending" | "active" | "moved";
  paused: Flag;
  plan: "free" | "pro" | "business" | "enterprise";
  vanity_name_servers: Json<string[]>;
  /** The number of the set of name servers that its DNS settings choose; null for the standard ones. */
  name_server_set: number | null;
  /** The delegation before the zone was added; null until it is looked up. */
  original_name_servers: Json<string[]> | null;
  verification_key: string | null;
  /** Updated with every change of records, so that lists need not count rows. */
  dns_record_count: number;
  /** Goes up by 1 with every change of the records. */
  dns_records_version: number;
  /** Which generation of its records is shown: a transfer that was stored in portions makes the next one. */
  records_generation?: number | undefined;
  /** Whether records may be hidden: those of another generation. */
  hides_records?: Flag | undefined;
  /** Serial of the SOA record, from 1 to 4,294,967,295; null until something changes what the zone answers. */
  dns_serial: number | null;
  /** Which version of the WAF managed rules is in force; `validation` is both. */
  waf: "previous" | "validation" | "new";
  /** When that version last changed; null if it never did. */
  waf_changed_on: Timestamp | null;
  /** When development mode ends or ended; null if it was never on. */
  development_mode_ends_on: Timestamp | null;
  created_on: Timestamp;
  modified_on: Timestamp;
  activated_on: Timestamp | null;
  /** When its delegation was last looked up. */
  checked_on: Timestamp | null;
  /** 1 for a zone that the timer is to judge at its next round. */
  check_due: Flag;
  /** Its place among all zones by the time of their first activation; null before that. */
  activation_order: number | null;
  /** The accounts that may have zones below this one; null for none. */
  subdomain_consents: Json<StoredConsent[]> | null;
}

/** An account that may have a zone of a name below a zone. */
export interface StoredConsent {
  readonly id: string;
  readonly name: string;
  readonly account_id: string;
  readonly created_on: Timestamp;
}

/** A setting that was changed; settings without a row have their defaults. */
export interface ZoneSettingRow {
  zone_id: string;
  /** Name of the setting, `browser_cache_ttl`. */
  setting: string;
  value: Json<unknown>;
  modified_on: Timestamp;
}

/** The last subscription; the plan itself is in the zone. */
export interface ZoneSubscriptionRow {
  zone_id: string;
  /** As it was sent, `CF_PRO_20_20`. */
  rate_plan: string;
  frequency: "weekly" | "monthly" | "quarterly" | "yearly";
  started_on: Timestamp;
}

export interface ZoneHoldRow {
  zone_id: string;
  /** The zone is held from then on; null for never. */
  hold_after: Timestamp | null;
  include_subdomains: Flag;
}
