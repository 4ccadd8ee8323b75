import { integer, json, nullable, reference, table, text, timestamp, type Row } from "./table.ts";

/** Listening addresses of an edge, `127.0.0.1:8080`. */
export interface EdgeAddresses {
  readonly http: readonly string[];
  readonly https: readonly string[];
  readonly judge: readonly string[];
}

export const edgeTables = {
  /** An edge that runs on the database, or did until a short while ago. */
  edges: table(
    {
      /** 32 hexadecimal characters, new with each start. */
      id: text(),
      host: text(),
      software_version: text(),
      addresses: json<EdgeAddresses>(),
      zones: integer(),
      started_on: timestamp(),
      seen_on: timestamp(),
      /** Since when what it serves may be out of date; null while it is current. */
      behind_since: nullable(timestamp()),
    },
    { isCopied: false },
  ),
  /** An event of one rule and one request. Missing texts of the request are empty, missing numbers are 0. */
  security_events: table(
    {
      /** UUID with dashes, version 7: ids sort by time. */
      id: text(),
      zone_id: reference("zones", "cascade"),
      /** The account of the zone. */
      account_id: text(),
      /** The time of evaluation, to the second. */
      datetime: timestamp(),
      /** The same for all events of one request: 16 hexadecimal characters. */
      ray_name: text(),
      /** Place among the events of its request, from 0. */
      match_index: integer(),
      kind: text<"firewall">(),
      /** The product: `firewallCustom`, `firewallManaged` (new WAF) or `waf` (previous WAF). */
      source: text(),
      action: text(),
      ruleset_id: text(),
      rule_id: text(),
      rule_message: text(),
      client_ip: text(),
      client_asn: text(),
      client_asn_description: text(),
      edge_colo: text(),
      originator_ray_name: text(),
      client_country: text(),
      user_agent: text(),
      referer_host: text(),
      referer_scheme: text(),
      referer_path: text(),
      referer_query: text(),
      request_scheme: text(),
      host: text(),
      method: text(),
      protocol: text(),
      path: text(),
      query: text(),
      edge_status: integer(),
      origin_status: integer(),
      /** The number of events that it stands for, itself included. */
      sample_interval: integer(),
      metadata: json<readonly { readonly key: string; readonly value: string }[]>(),
    },
    { indexes: [{ on: ["zone_id", "datetime", "id"] }, { on: ["account_id", "id"] }] },
  ),
};

export type EdgeRow = Row<typeof edgeTables.edges>;
export type SecurityEventRow = Row<typeof edgeTables.security_events>;
