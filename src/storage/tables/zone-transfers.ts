import type { ZoneApex } from "../../core/dns/apex.ts";
import type { Flag, Json, Sealed, Timestamp } from "../columns.ts";

/** Addresses from which all zones of an account may be transferred. */
export interface TransferAclRow {
  id: string;
  account_id: string;
  name: string;
  /** An address, or a range in CIDR notation. */
  ip_range: string;
  created_on: Timestamp;
}

/** A key that signs DNS messages (TSIG, RFC 8945). */
export interface TransferKeyRow {
  id: string;
  account_id: string;
  /** As it was sent; a domain name. */
  name: string;
  /** As it was sent, `hmac-sha256.` */
  algo: string;
  /** Base64. */
  secret: Sealed;
  created_on: Timestamp;
}

/** A name server to which zones are transferred. */
export interface TransferPeerRow {
  id: string;
  account_id: string;
  name: string;
  ip: string | null;
  port: number | null;
  ixfr_enable: Flag | null;
  key_id: string | null;
  /** Serial and digest of its catalog zone; null until it has been made. */
  catalog_serial: number | null;
  catalog_digest: string | null;
  /** The serial of the catalog zone that the peer was last notified of. */
  catalog_notified_serial: number | null;
  /** The serial of the catalog zone that the peer last transferred. */
  catalog_transferred_serial: number | null;
  /** As `reminders_left` of `OutgoingPeerRow`. */
  catalog_reminders_left: number;
  created_on: Timestamp;
}

/** The state of the transfers of a zone to peers. */
export interface OutgoingTransferRow {
  zone_id: string;
  /** Name of the zone, as it was sent. */
  name: string;
  enabled: Flag;
  /** Changes before this serial are not transferred one by one. */
  backlog_serial: number;
  created_on: Timestamp;
  /** When a peer last answered a notification. */
  checked_on: Timestamp | null;
  /** When a transfer to a peer last ended. */
  transferred_on: Timestamp | null;
}

/** A peer of a zone that is transferred. */
export interface OutgoingPeerRow {
  zone_id: string;
  peer_id: string;
  /** Place among the peers of the zone, from 0. */
  position: number;
  /** The serial that the peer was last notified of; null for none. */
  notified_serial: number | null;
  /** The serial that was last transferred to its address; null for none. */
  transferred_serial: number | null;
  /** How often it is still notified of `notified_serial` again unless it transfers the zone. */
  reminders_left: number;
}

/** The state of the transfers of a zone from peers. */
export interface IncomingTransferRow {
  zone_id: string;
  /** Name of the zone, as it was sent. */
  name: string;
  auto_refresh_seconds: number;
  created_on: Timestamp;
  modified_on: Timestamp;
  /** When a peer last answered with its serial. */
  checked_on: Timestamp | null;
  /** What the zone's SOA record said when it was last transferred; null until it was. */
  soa: Json<TransferredApex> | null;
  /** When peers are to be asked next. */
  due_on: Timestamp;
  /** When the zone is served no longer, unless a peer answers until then. */
  expires_on: Timestamp | null;
  /** Whether the next transfer must be a full one (AXFR). */
  wants_whole: Flag;
}

/** What the SOA record of a transferred zone says; its NS records are among the others. */
export type TransferredApex = Omit<ZoneApex, "name" | "nameServers">;

/** A peer that a zone is transferred from. */
export interface IncomingPeerRow {
  zone_id: string;
  peer_id: string;
  position: number;
}
