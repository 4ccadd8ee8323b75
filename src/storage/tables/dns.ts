import type { DnsSettingsChange } from "../../core/dns/dns-settings.ts";
import type { StoredRecord } from "../../core/dns/served/record-sets.ts";
import type { Flag, Json, Sealed, Timestamp } from "../columns.ts";

export interface DnsRecordRow {
  id: string;
  zone_id: string;
  name: string;
  type: string;
  /** Lower case, for filters. */
  content_folded: string;
  /** The first characters of `content_folded`, short enough for an index of either engine. */
  content_prefix: string;
  ttl: number;
  proxied: Flag;
  /** Lower case; null without a comment. */
  comment_folded: string | null;
  /** SHA-256 of what identical records have in common. */
  identity: string;
  /** The record as the API answers it: compact JSON, `id` first. The other columns are its keys. */
  record: string;
  /** The generation of its zone from which on it is shown; of transfers alone. */
  shown_from?: number | undefined;
  /** The generation from which on it is not shown any more. */
  shown_until?: number | null | undefined;
}

/** A row for each tag; both columns are in lower case. */
export interface DnsRecordTagRow {
  record_id: string;
  tag_name: string;
  tag_value: string;
}

/** A record of a zone that is transferred to us which the API cannot express, or only with other octets. */
export interface WireRecordRow {
  zone_id: string;
  /** SHA-256 of name, type and data. */
  identity: string;
  /** Folded, without final dot. */
  name: string;
  /** The number of its type. */
  type: number;
  ttl: number;
  /** Base64, with names uncompressed. */
  rdata: string;
  /** As of a `DnsRecordRow`. */
  shown_from?: number | undefined;
  shown_until?: number | null | undefined;
}

/** What the last scan of a zone found and nobody has accepted or rejected yet. */
export interface RecordScanRow {
  zone_id: string;
  /** Compact JSON: a list of records as the API answers them. */
  found: string;
}

/** A change of the records of a zone. Only the latest of a zone are kept. */
export interface DnsChangeRow {
  zone_id: string;
  /** The `dns_records_version` that it made. */
  version: number;
  /** The names at which records changed; null where they were too many to be listed. */
  names: Json<readonly string[]> | null;
  /** The zone's serial before and after; null of changes that were made before these were kept. */
  serial_before: number | null;
  serial: number | null;
  /**
   * The changed records as they were before, by id; null for a new one. The column is null in zones that are
   * not transferred, and where the records would be too long.
   */
  records_before: Json<Readonly<Record<string, RecordBefore | null>>> | null;
}

/** The parts of a record that name servers serve. */
export interface RecordBefore extends StoredRecord {
  readonly name: string;
}

/** The server settings that zones were last served with; at most one row. */
export interface ServedWithRow {
  settings_digest: string;
}

/** The DNS settings that a zone changed. */
export interface ZoneDnsSettingsRow {
  zone_id: string;
  changed_settings: Json<DnsSettingsChange>;
}

/** The DNS settings that an account changed for its new zones. */
export interface AccountDnsSettingsRow {
  account_id: string;
  zone_defaults: Json<DnsSettingsChange>;
  /** Whether no name of any of its zones is proxied. */
  enforce_dns_only: Flag;
}

/** The keys of a zone that is signed. Keys are on the curve P-256, in base64. */
export interface ZoneDnssecRow {
  zone_id: string;
  status: "active" | "pending" | "disabled" | "pending-disabled" | "error";
  key_signing_key: Sealed;
  key_signing_public_key: string;
  zone_signing_key: Sealed;
  zone_signing_public_key: string;
  /** Null until it is set. */
  multi_signer: Flag | null;
  presigned: Flag | null;
  use_nsec3: Flag | null;
  /** The day on which it was last signed, in days since 1970. */
  signed_day: number;
  modified_on: Timestamp;
  /** When the parent was last asked for its DS records. */
  checked_on: Timestamp | null;
}
