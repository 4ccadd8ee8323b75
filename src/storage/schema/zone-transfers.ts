import type { ZoneApex } from "../../core/dns/served/apex.ts";
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
  type Row,
} from "./table.ts";

/** The SOA record of a transferred zone; its NS records are among the others. */
export type TransferredApex = Omit<ZoneApex, "name" | "nameServers">;

export const zoneTransferTables = {
  /** Addresses from which all zones of an account may be transferred. */
  transfer_acls: table(
    {
      id: text(),
      account_id: reference("accounts", "cascade"),
      name: text(),
      /** An address, or a range in CIDR notation. */
      ip_range: text(),
      created_on: timestamp(),
    },
    { indexes: [{ on: ["account_id", "created_on"] }] },
  ),
  /** A key that signs DNS messages (TSIG, RFC 8945). */
  transfer_keys: table(
    {
      id: text(),
      account_id: reference("accounts", "cascade"),
      /** A domain name in the notation of the client. */
      name: text(),
      /** In the notation of the client, `hmac-sha256.` */
      algo: text(),
      /** Base64. */
      secret: sealed(),
      created_on: timestamp(),
    },
    { indexes: [{ on: ["account_id", "created_on"] }] },
  ),
  /** A name server to which zones are transferred. */
  transfer_peers: table(
    {
      id: text(),
      account_id: reference("accounts", "cascade"),
      name: text(),
      ip: nullable(text()),
      port: nullable(integer()),
      ixfr_enable: nullable(flag()),
      key_id: nullable(reference("transfer_keys", "no action")),
      /** Serial and digest of its catalog zone; null until it has been made. */
      catalog_serial: nullable(uint32()),
      catalog_digest: nullable(text()),
      catalog_notified_serial: nullable(uint32()),
      /** The serial of the catalog zone that the peer last transferred. */
      catalog_transferred_serial: nullable(uint32()),
      /** The same as `reminders_left` of `OutgoingPeerRow`. */
      catalog_reminders_left: integer(),
      created_on: timestamp(),
    },
    { indexes: [{ on: ["account_id", "created_on"] }, { on: ["key_id"] }] },
  ),
  outgoing_transfers: table({
    zone_id: reference("zones", "cascade"),
    /** In the notation of the client. */
    name: text(),
    enabled: flag(),
    /** Changes before this serial are not transferred one by one. */
    backlog_serial: uint32(),
    created_on: timestamp(),
    /** The time of a peer's last answer to a notification. */
    checked_on: nullable(timestamp()),
    /** The time of the last complete transfer to a peer. */
    transferred_on: nullable(timestamp()),
  }),
  /** A peer of a zone that is transferred. */
  outgoing_peers: table(
    {
      zone_id: reference("outgoing_transfers", "cascade"),
      peer_id: reference("transfer_peers", "no action"),
      /** Place among the peers of the zone, from 0. */
      position: integer(),
      /** The serial that the peer was last notified of; null for none. */
      notified_serial: nullable(uint32()),
      /** The serial that was last transferred to its address; null for none. */
      transferred_serial: nullable(uint32()),
      /** The number of further notifications of `notified_serial`, until the peer transfers the zone. */
      reminders_left: integer(),
    },
    { key: ["zone_id", "peer_id"], indexes: [{ on: ["peer_id"] }] },
  ),
  incoming_transfers: table(
    {
      zone_id: reference("zones", "cascade"),
      /** In the notation of the client. */
      name: text(),
      auto_refresh_seconds: integer(),
      created_on: timestamp(),
      modified_on: timestamp(),
      /** The time of a peer's last answer with its serial. */
      checked_on: nullable(timestamp()),
      /** The SOA record with which the zone was last transferred; null until it was. */
      soa: nullable(json<TransferredApex>()),
      /** The time of the next question to peers. */
      due_on: timestamp(),
      /** The end of serving the zone, unless a peer answers until then. */
      expires_on: nullable(timestamp()),
      /** Whether the next transfer must be a full one (AXFR). */
      wants_whole: flag(),
    },
    { indexes: [{ on: ["due_on"] }] },
  ),
  /** A peer that a zone is transferred from. */
  incoming_peers: table(
    {
      zone_id: reference("incoming_transfers", "cascade"),
      peer_id: reference("transfer_peers", "no action"),
      position: integer(),
    },
    { key: ["zone_id", "peer_id"], indexes: [{ on: ["peer_id"] }] },
  ),
};

export type TransferAclRow = Row<typeof zoneTransferTables.transfer_acls>;
export type TransferKeyRow = Row<typeof zoneTransferTables.transfer_keys>;
export type TransferPeerRow = Row<typeof zoneTransferTables.transfer_peers>;
export type OutgoingTransferRow = Row<typeof zoneTransferTables.outgoing_transfers>;
export type OutgoingPeerRow = Row<typeof zoneTransferTables.outgoing_peers>;
export type IncomingTransferRow = Row<typeof zoneTransferTables.incoming_transfers>;
