import type { Timestamp } from "./table.ts";
import {
  flag,
  integer,
  json,
  nullable,
  reference,
  table,
  text,
  timestamp,
  uint32,
  withDefault,
  type Row,
} from "./table.ts";

/** An account that may have a zone of a name below a zone. */
export interface StoredConsent {
  readonly id: string;
  readonly name: string;
  readonly account_id: string;
  readonly created_on: Timestamp;
}

export const zoneTables = {
  zones: table(
    {
      id: text(),
      account_id: reference("accounts", "no action"),
      /** ASCII, lower case. */
      name: text(),
      /** The same in Unicode; null where nothing differs. */
      unicode_name: nullable(text()),
      type: text<"full" | "partial" | "secondary" | "internal">(),
      status: text<"initializing" | "pending" | "active" | "moved">(),
      paused: flag(),
      plan: text<"free" | "pro" | "business" | "enterprise">(),
      vanity_name_servers: json<string[]>(),
      /** The number of the set of name servers that its DNS settings choose; null for the standard ones. */
      name_server_set: nullable(integer()),
      /** The delegation before the zone was added; null until it is looked up. */
      original_name_servers: nullable(json<string[]>()),
      verification_key: nullable(text()),
      /** Updated with every change of records, so that lists need not count rows. */
      dns_record_count: integer(),
      /** Goes up by 1 with every change of the records. */
      dns_records_version: integer(),
      /** Versions of its other parts, each another one after every change (docs/design/storage.md#what-changed). */
      facts_version: withDefault(integer(), 0),
      settings_version: withDefault(integer(), 0),
      rules_version: withDefault(integer(), 0),
      certificates_version: withDefault(integer(), 0),
      transfers_version: withDefault(integer(), 0),
      /** The generation of its records that is shown: a transfer that was stored in portions makes the next one. */
      records_generation: withDefault(integer(), 0),
      /** Whether records may be hidden: those of another generation. */
      hides_records: withDefault(flag(), 0),
      /** Serial of the SOA record, from 1 to 4,294,967,295; null until something changes what the zone answers. */
      dns_serial: nullable(uint32()),
      /** The version of the WAF managed rules in force; `validation` is both. */
      waf: text<"previous" | "validation" | "new">(),
      /** The last change of that version; null if it never changed. */
      waf_changed_on: nullable(timestamp()),
      /** The end of development mode, also in the past; null if it was never on. */
      development_mode_ends_on: nullable(timestamp()),
      created_on: timestamp(),
      modified_on: timestamp(),
      activated_on: nullable(timestamp()),
      /** The time of the last look-up of its delegation. */
      checked_on: nullable(timestamp()),
      /** 1 for a zone that the timer is to judge at its next round. */
      check_due: flag(),
      /** Its place among all zones by the time of their first activation; null before that. */
      activation_order: nullable(integer()),
      /** The accounts that may have zones below this one; null for none. */
      subdomain_consents: nullable(json<StoredConsent[]>()),
    },
    {
      indexes: [
        { on: ["status", "checked_on"] },
        { on: ["account_id", "name"], isUnique: true },
        { on: ["name"] },
        { on: ["name"], isUnique: true, where: "status = 'active' and type <> 'internal'" },
        { on: ["account_id"], where: "vanity_name_servers <> '[]'" },
        { on: ["created_on"], where: "check_due = 1" },
        { on: ["activation_order"] },
      ],
    },
  ),
  /** A setting that was changed; settings without a row have their defaults. */
  zone_settings: table(
    {
      zone_id: reference("zones", "cascade"),
      /** Such as `browser_cache_ttl`. */
      setting: text(),
      value: json<unknown>(),
      modified_on: timestamp(),
    },
    { key: ["zone_id", "setting"] },
  ),
  /** The last subscription; the plan itself is in the zone. */
  zone_subscriptions: table({
    zone_id: reference("zones", "cascade"),
    /** In the notation of the client, `CF_PRO_20_20`. */
    rate_plan: text(),
    frequency: text<"weekly" | "monthly" | "quarterly" | "yearly">(),
    started_on: timestamp(),
  }),
  zone_holds: table({
    zone_id: reference("zones", "cascade"),
    /** The zone is held from then on; null for never. */
    hold_after: nullable(timestamp()),
    include_subdomains: flag(),
  }),
};

export type ZoneRow = Row<typeof zoneTables.zones>;
export type ZoneSettingRow = Row<typeof zoneTables.zone_settings>;
export type ZoneSubscriptionRow = Row<typeof zoneTables.zone_subscriptions>;
export type ZoneHoldRow = Row<typeof zoneTables.zone_holds>;
