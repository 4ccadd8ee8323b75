import type { DnsSettingsChange } from "../../core/dns/served/dns-settings.ts";
import type { StoredRecord } from "../../core/dns/served/record-sets.ts";
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
  uint32,
  withDefault,
  type Row,
} from "./table.ts";

/** The parts of a record that name servers serve. */
export interface RecordBefore extends StoredRecord {
  readonly name: string;
}

export const dnsTables = {
  dns_records: table(
    {
      id: text(),
      zone_id: reference("zones", "cascade"),
      name: text(),
      type: text(),
      /** Lower case, for filters. */
      content_folded: text(),
      /** The first characters of `content_folded`, short enough for an index of either engine. */
      content_prefix: text(),
      ttl: integer(),
      proxied: flag(),
      /** Lower case; null without a comment. */
      comment_folded: nullable(text()),
      /** SHA-256 of what identical records have in common. */
      identity: text(),
      /** The record as the API answers it: compact JSON, `id` first. The other columns are its keys. */
      record: text(),
      /** The generation of its zone from which on it is shown; of transfers alone. */
      shown_from: withDefault(integer(), 0),
      /** The generation from which on it is not shown any more. */
      shown_until: withDefault(nullable(integer()), null),
    },
    {
      indexes: [
        // Keeps identical records out, and finds those that a transfer or an import brings again.
        { on: ["zone_id", "identity"], isUnique: true },
        // Each serves the pages of a list in its order. By type records are also exported, and name servers named;
        // by name they are judged beside each other and answered; what is proxied is looked for by Total TLS.
        { on: ["zone_id", "type", "id"] },
        { on: ["zone_id", "name", "id"] },
        { on: ["zone_id", "content_prefix", "id"] },
        { on: ["zone_id", "ttl", "id"] },
        { on: ["zone_id", "proxied", "id"] },
        // The rows of transfers that nobody sees, to be deleted.
        { on: ["zone_id", "shown_until"], where: "shown_until is not null" },
        { on: ["zone_id", "shown_from"], where: "shown_from > 0" },
      ],
    },
  ),
  /** A row for each tag; both columns are in lower case. */
  dns_record_tags: table(
    {
      record_id: reference("dns_records", "cascade"),
      tag_name: text(),
      tag_value: text(),
    },
    { key: ["record_id", "tag_name", "tag_value"] },
  ),
  /** A record of a zone that is transferred to us which the API cannot express, or only with other octets. */
  wire_records: table(
    {
      zone_id: reference("zones", "cascade"),
      /** SHA-256 of name, type and data. */
      identity: text(),
      /** Folded, without final dot. */
      name: text(),
      type: integer(),
      ttl: integer(),
      /** Base64, with names uncompressed. */
      rdata: text(),
      /** The same as of a `DnsRecordRow`. */
      shown_from: withDefault(integer(), 0),
      shown_until: withDefault(nullable(integer()), null),
    },
    {
      key: ["zone_id", "identity"],
      indexes: [
        { on: ["zone_id", "name", "identity"] },
        { on: ["zone_id", "shown_until"], where: "shown_until is not null" },
        { on: ["zone_id", "shown_from"], where: "shown_from > 0" },
      ],
    },
  ),
  /** Finds of the last scan of a zone that nobody has accepted or rejected yet. */
  record_scans: table({
    zone_id: reference("zones", "cascade"),
    /** Compact JSON: a list of records as the API answers them. */
    found: text(),
  }),
  /** A change of the records of a zone. Only the latest of a zone are kept. */
  dns_changes: table(
    {
      zone_id: reference("zones", "cascade"),
      /** The `dns_records_version` that it made. */
      version: integer(),
      /** The names at which records changed; null where they were too many to be listed. */
      names: nullable(json<readonly string[]>()),
      /** The zone's serial before and after; null of changes that were made before these were kept. */
      serial_before: nullable(uint32()),
      serial: nullable(uint32()),
      /**
       * The changed records as they were before, by id; null for a new one. The column is null in zones that are
       * not transferred, and where the records would be too long.
       */
      records_before: nullable(json<Readonly<Record<string, RecordBefore | null>>>()),
    },
    { key: ["zone_id", "version"] },
  ),
  zone_dns_settings: table({
    zone_id: reference("zones", "cascade"),
    changed_settings: json<DnsSettingsChange>(),
  }),
  account_dns_settings: table({
    account_id: reference("accounts", "cascade"),
    zone_defaults: json<DnsSettingsChange>(),
    /** Whether no name of any of its zones is proxied. */
    enforce_dns_only: flag(),
  }),
  /** The keys of a zone that is signed. Keys are on the curve P-256, in base64. */
  zone_dnssec: table({
    zone_id: reference("zones", "cascade"),
    status: text<"active" | "pending" | "disabled" | "pending-disabled" | "error">(),
    key_signing_key: sealed(),
    key_signing_public_key: text(),
    zone_signing_key: sealed(),
    zone_signing_public_key: text(),
    /** Null until it is set. */
    multi_signer: nullable(flag()),
    presigned: nullable(flag()),
    use_nsec3: nullable(flag()),
    /** The day on which it was last signed, in days since 1970. */
    signed_day: integer(),
    modified_on: timestamp(),
    /** The time of the last question to the parent for its DS records. */
    checked_on: nullable(timestamp()),
  }),
};

export type DnsRecordRow = Row<typeof dnsTables.dns_records>;
export type DnsRecordTagRow = Row<typeof dnsTables.dns_record_tags>;
export type WireRecordRow = Row<typeof dnsTables.wire_records>;
export type DnsChangeRow = Row<typeof dnsTables.dns_changes>;
export type ZoneDnsSettingsRow = Row<typeof dnsTables.zone_dns_settings>;
export type ZoneDnssecRow = Row<typeof dnsTables.zone_dnssec>;
