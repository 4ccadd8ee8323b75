import { packetPhases, transformPhases, type Availability } from "./phases.ts";
import type { ValueType } from "./value-type.ts";

/** Whether an argument must be a literal, or a field or call. */
export type ArgumentKind = "Literal" | "Field" | "Either";

/** `_` stands for any type of element. */
export type ParameterType = ValueType | "Array<_>" | "Map<_>";

export interface Parameter {
  readonly name: string;
  readonly kind: ArgumentKind;
  /** The accepted types; by default that of the first argument. */
  readonly types?: readonly ParameterType[];
}

export interface FunctionDefinition extends Availability {
  readonly name: string;
  readonly parameters: readonly Parameter[];
  readonly optional?: readonly Parameter[];
  readonly rest?: Parameter;
  /** By default the type of the first argument. */
  readonly returns?: ValueType;
  /** Whether it, or another of this kind, may be called only once per expression. */
  readonly isOnce?: true;
  /** The only fields that are valid as first argument. */
  readonly sources?: readonly string[];
}

const field = (name: string, ...types: readonly ParameterType[]): Parameter => ({
  name,
  kind: "Field",
  types,
});
const literal = (name: string, ...types: readonly ParameterType[]): Parameter => ({
  name,
  kind: "Literal",
  types,
});
const either = (name: string, ...types: readonly ParameterType[]): Parameter => ({
  name,
  kind: "Either",
  types,
});

/**
 * The phases of the firewall, with the managed phase, into which a migration moves the filters of Bypass
 * rules.
 */
const firewall = ["http_request_firewall_custom", "http_request_firewall_managed", "http_ratelimit"] as const;
const rewrites = [...transformPhases, "http_request_dynamic_redirect"] as const;

/** Every documented function by name, except `any` and `all`, which are part of the grammar. */
export const functions: readonly FunctionDefinition[] = [
  {
    name: "bit_slice",
    parameters: [field("protocol", "Bytes"), literal("offset_start", "Int"), literal("offset_end", "Int")],
    returns: "Int",
    phases: packetPhases,
  },
  {
    name: "cidr",
    parameters: [
      field("address", "Ip"),
      literal("ipv4_network_bits", "Int"),
      literal("ipv6_network_bits", "Int"),
    ],
    returns: "Ip",
    phases: firewall,
  },
  {
    name: "cidr6",
    parameters: [field("address", "Ip"), literal("ipv6_network_bits", "Int")],
    returns: "Ip",
    phases: firewall,
  },
  {
    name: "concat",
    parameters: [either("first", "Array<_>", "Bytes"), { name: "second", kind: "Either" }],
    rest: { name: "more", kind: "Either" },
  },
  {
    name: "decode_base64",
    parameters: [field("source", "Bytes")],
    returns: "Bytes",
    phases: [...transformPhases, ...firewall],
  },
  {
    name: "encode_base64",
    parameters: [either("source", "Bytes")],
    optional: [literal("flags", "Bytes")],
    returns: "Bytes",
    phases: transformPhases,
  },
  {
    name: "ends_with",
    parameters: [field("source", "Bytes"), either("substring", "Bytes")],
    returns: "Bool",
  },
  {
    name: "is_timed_hmac_valid_v0",
    parameters: [
      literal("key", "Bytes"),
      field("message_mac", "Bytes"),
      literal("ttl", "Int"),
      either("current_timestamp", "Int"),
    ],
    optional: [literal("separator_length", "Int"), literal("flags", "Bytes")],
    returns: "Bool",
    plan: "pro",
  },
  {
    name: "join",
    parameters: [field("items", "Array<Bytes>"), either("separator", "Bytes")],
    returns: "Bytes",
    phases: [
      ...transformPhases,
      "http_request_firewall_custom",
      "http_request_firewall_managed",
      "http_custom_errors",
    ],
  },
  { name: "len", parameters: [field("value", "Array<_>", "Bytes", "Map<_>")], returns: "Int" },
  {
    name: "lookup_json_integer",
    parameters: [field("document", "Bytes"), either("key", "Bytes", "Int")],
    rest: either("key", "Bytes", "Int"),
    returns: "Int",
  },
  {
    name: "lookup_json_string",
    parameters: [field("document", "Bytes"), either("key", "Bytes", "Int")],
    rest: either("key", "Bytes", "Int"),
    returns: "Bytes",
  },
  { name: "lower", parameters: [field("source", "Bytes")], returns: "Bytes" },
  {
    name: "regex_replace",
    parameters: [
      either("source", "Bytes"),
      literal("regular_expression", "Bytes"),
      literal("replacement", "Bytes"),
    ],
    returns: "Bytes",
    phases: rewrites,
    isOnce: true,
  },
  {
    name: "remove_bytes",
    parameters: [field("source", "Bytes"), literal("octets", "Bytes")],
    returns: "Bytes",
  },
  {
    name: "remove_query_args",
    parameters: [field("query", "Bytes"), either("name", "Bytes")],
    rest: either("name", "Bytes"),
    returns: "Bytes",
    phases: transformPhases,
    sources: ["http.request.uri.query", "raw.http.request.uri.query"],
  },
  {
    name: "sha256",
    parameters: [either("source", "Bytes")],
    returns: "Bytes",
    phases: transformPhases,
    plan: "enterprise",
  },
  {
    name: "split",
    parameters: [field("input", "Bytes"), literal("separator", "Bytes"), literal("limit", "Int")],
    returns: "Array<Bytes>",
    phases: ["http_response_headers_transform", "http_response_cache_settings", "http_custom_errors"],
  },
  {
    name: "starts_with",
    parameters: [field("source", "Bytes"), either("substring", "Bytes")],
    returns: "Bool",
  },
  {
    name: "substring",
    parameters: [field("source", "Bytes"), either("start", "Int")],
    optional: [either("end", "Int")],
    returns: "Bytes",
  },
  {
    name: "to_string",
    parameters: [field("value", "Bool", "Int", "Ip")],
    returns: "Bytes",
    phases: rewrites,
  },
  { name: "upper", parameters: [field("source", "Bytes")], returns: "Bytes" },
  {
    name: "url_decode",
    parameters: [field("source", "Bytes")],
    optional: [literal("options", "Bytes")],
    returns: "Bytes",
  },
  { name: "uuidv4", parameters: [field("source", "Bytes")], returns: "Bytes", phases: transformPhases },
  {
    name: "wildcard_replace",
    parameters: [
      field("source", "Bytes"),
      literal("wildcard_pattern", "Bytes"),
      literal("replacement", "Bytes"),
    ],
    optional: [literal("flags", "Bytes")],
    returns: "Bytes",
    phases: rewrites,
    isOnce: true,
  },
];

const functionsByName = new Map(functions.map((definition) => [definition.name, definition]));

export function findFunction(name: string): FunctionDefinition | undefined {
  return functionsByName.get(name);
}
