import type { SecurityEventRow } from "../../storage/schema/edges.ts";

export type EventColumn = Exclude<keyof SecurityEventRow, "id" | "zone_id" | "account_id" | "metadata">;

export type FieldType = "text" | "number" | "time" | "date";

/** A field in queries, and its column. */
interface EventField {
  readonly column: EventColumn;
  readonly type: FieldType;
}

const text = (column: EventColumn): EventField => ({ column, type: "text" });
const number = (column: EventColumn): EventField => ({ column, type: "number" });

/** The fields of `firewallEventsAdaptive` except `metadata`. */
export const eventFields = {
  action: text("action"),
  clientASNDescription: text("client_asn_description"),
  clientAsn: text("client_asn"),
  clientCountryName: text("client_country"),
  clientIP: text("client_ip"),
  clientRefererHost: text("referer_host"),
  clientRefererPath: text("referer_path"),
  clientRefererQuery: text("referer_query"),
  clientRefererScheme: text("referer_scheme"),
  clientRequestHTTPHost: text("host"),
  clientRequestHTTPMethodName: text("method"),
  clientRequestHTTPProtocol: text("protocol"),
  clientRequestPath: text("path"),
  clientRequestQuery: text("query"),
  clientRequestScheme: text("request_scheme"),
  datetime: { column: "datetime", type: "time" },
  description: text("rule_message"),
  edgeColoName: text("edge_colo"),
  edgeResponseStatus: number("edge_status"),
  kind: text("kind"),
  matchIndex: number("match_index"),
  originResponseStatus: number("origin_status"),
  originatorRayName: text("originator_ray_name"),
  rayName: text("ray_name"),
  ruleId: text("rule_id"),
  ruleMessage: text("rule_message"),
  rulesetId: text("ruleset_id"),
  sampleInterval: number("sample_interval"),
  source: text("source"),
  userAgent: text("user_agent"),
} as const satisfies Record<string, EventField>;

export type Comparison = "=" | "!=" | "<" | "<=" | ">" | ">=" | "in" | "not in";

const ordered = { "": "=", _neq: "!=", _lt: "<", _leq: "<=", _gt: ">", _geq: ">=" } as const;

/** The suffixes of field names in filters, with their comparisons. */
export const comparisonsOf: Readonly<Record<FieldType, Readonly<Record<string, Comparison>>>> = {
  text: { "": "=", _neq: "!=", _in: "in", _notin: "not in" },
  number: { ...ordered, _in: "in", _notin: "not in" },
  time: ordered,
  date: ordered,
};

/** Periods for counting events: the kept characters of `datetime`, and the text after them. */
const periods = {
  date: { type: "text", characters: 10, rest: "" },
  datetimeHour: { type: "text", characters: 13, rest: ":00:00Z" },
  datetimeMinute: { type: "text", characters: 16, rest: ":00Z" },
} as const;

/** The dimensions by which events are grouped: a field or a period. */
export const eventDimensions = { ...eventFields, ...periods };

export type EventDimension = keyof typeof eventDimensions;
