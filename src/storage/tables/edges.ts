import type { Json, Timestamp } from "../columns.ts";

/**
 * Counts the changes of what an edge compiles a zone from; triggers maintain it
 * (`migrations/0045-edge-versions.ts`).
 */
export interface EdgeVersionRow {
  zone_id: string;
  version: number;
  /** How many of these changes were of the rulesets and lists of its account (`migrations/0072-edge-account-versions.ts`). */
  account_version: number;
}

/** An edge that runs on the database, or did until a short while ago. */
export interface EdgeRow {
  /** 32 hexadecimal characters, new with each start. */
  id: string;
  /** Name of the machine. */
  host: string;
  software_version: string;
  addresses: Json<EdgeAddresses>;
  /** Number of zones that it serves. */
  zones: number;
  started_on: Timestamp;
  seen_on: Timestamp;
  /** Since when what it serves may be out of date; null while it is current. */
  behind_since: Timestamp | null;
}

/** Where an edge listens, `127.0.0.1:8080`. */
export interface EdgeAddresses {
  readonly http: readonly string[];
  readonly https: readonly string[];
  readonly judge: readonly string[];
}

/** What one rule did about one request. Missing texts of the request are empty, missing numbers are 0. */
export interface SecurityEventRow {
  /** UUID with dashes, version 7: ids sort by time. */
  id: string;
  zone_id: string;
  /** Of the zone; empty if an earlier version stored it. */
  account_id: string;
  /** When the request was evaluated, to the second. */
  datetime: Timestamp;
  /** The same for all events of one request: 16 hexadecimal characters. */
  ray_name: string;
  /** Place among the events of its request, from 0. */
  match_index: number;
  kind: "firewall";
  /** What acted: `firewallCustom`, `firewallManaged` (new WAF) or `waf` (previous WAF). */
  source: string;
  action: string;
  ruleset_id: string;
  rule_id: string;
  rule_message: string;
  client_ip: string;
  client_asn: string;
  /** This and the next two are empty in events of earlier versions. */
  client_asn_description: string;
  edge_colo: string;
  originator_ray_name: string;
  client_country: string;
  user_agent: string;
  referer_host: string;
  /** This and the next two, and `request_scheme`, are empty in events of earlier versions. */
  referer_scheme: string;
  referer_path: string;
  referer_query: string;
  request_scheme: string;
  host: string;
  method: string;
  protocol: string;
  path: string;
  query: string;
  edge_status: number;
  origin_status: number;
  /** How many events it stands for, itself included. */
  sample_interval: number;
  metadata: Json<readonly { readonly key: string; readonly value: string }[]>;
}
