import type { IpAddress } from "../net/ip-address.ts";
import type { Value } from "./context.ts";
import { fields, type FieldDefinition } from "./fields.ts";
import type { ValueType } from "./value-type.ts";

/** The source of the value of a field. */
export interface FieldValue {
  /** The value where a request does not provide one; undefined if the field is missing then. */
  readonly otherwise: Value | undefined;
  /** The reason why every request has that value; undefined for a field that requests provide. */
  readonly neutral?: string;
  /** The requests that provide a value, and the value of all others. */
  readonly told?: string;
}

interface Row extends Omit<FieldValue, "otherwise"> {
  readonly names: RegExp;
  /** By default the empty value of the type: `""`, `false`, 0, an empty array or map. */
  readonly otherwise?: Value;
}

const unspecified: IpAddress = { version: 4, words: [0, 0, 0, 0] };
/** The score of a request that nobody has scored. */
const unscored = 100;

/** The fields that not every request provides; the first row that names a field counts. */
const rows: readonly Row[] = [
  { names: /^cf\.api_gateway\./, neutral: "there is no API Shield" },
  {
    names: /^cf\.bot_management\.score$/,
    neutral: "bots are not recognized; only traces may say another",
  },
  {
    names: /^cf\.(?:bot_management\.|client\.bot$|verified_bot_category$)/,
    neutral: "bots are not recognized",
  },
  {
    names: /^cf\.edge\.server_ip$/,
    otherwise: unspecified,
    told: "at the edge; else 0.0.0.0",
  },
  { names: /^cf\.hostname\.metadata$/, neutral: "there are no custom hostnames" },
  { names: /^cf\.llm\.prompt\.injection_score$/, otherwise: unscored, neutral: "prompts are not looked at" },
  { names: /^cf\.llm\./, neutral: "prompts are not looked at" },
  { names: /^cf\.(?:random_seed|ray_id)$/, told: "at the edge, by the judge and in traces; else empty" },
  { names: /^cf\.threat_score$/, neutral: "it is in the public service" },
  { names: /^cf\.timings\./, neutral: "no times are measured" },
  { names: /^cf\.tls_(?:cipher|version)$/, told: "at the edge, for HTTPS; else empty" },
  {
    names: /^cf\.tls_client_auth\./,
    neutral: "visitors are asked for no certificate, and this is the documented default",
  },
  { names: /^cf\.tls_/, neutral: "Node.js does not tell what a client offered" },
  {
    names: /^cf\.waf\.(?:auth_detected|credential_check\.)/,
    neutral: "there is no list of leaked credentials",
  },
  { names: /^cf\.waf\.content_scan\./, neutral: "files are not scanned" },
  { names: /^cf\.waf\.score\.class$/, neutral: "requests get no attack score" },
  { names: /^cf\.waf\.score/, otherwise: unscored, neutral: "requests get no attack score" },
  { names: /^cf\.worker\./, neutral: "there are no Workers" },
  { names: /^http\.request\.jwt\./, neutral: "JSON Web Tokens are not validated" },
  { names: /^(?:cf|http|raw\.http)\.response\./, told: "once there is a response; else missing" },
  {
    names: /^ip\.(?:src|geoip)\.country$/,
    otherwise: "XX",
    told: 'with `edge_location_databases` that have it, and in traces that say it; else `"XX"`',
  },
  {
    names: /^ip\.(?:src|geoip)\./,
    told: "with `edge_location_databases` that have it, and in traces that say it; else empty, 0 or `false`",
  },
];

const ofTypes: Readonly<Record<string, Value>> = { Bool: false, Bytes: "", Int: 0 };

function neutralOf(type: ValueType): Value {
  return ofTypes[type] ?? (type.startsWith("Map<") ? new Map() : []);
}

const values: ReadonlyMap<string, FieldValue> = new Map(fields.map((field) => [field.name, rowOf(field)]));

function rowOf({ name, type }: FieldDefinition): FieldValue {
  const row = rows.find(({ names }) => names.test(name));
  if (row === undefined || /(?:^|\.)response\./.test(name)) return { ...row, otherwise: undefined };
  return { ...row, otherwise: row.otherwise ?? neutralOf(type) };
}

export function valueOfField({ name }: Pick<FieldDefinition, "name">): FieldValue {
  return values.get(name) ?? { otherwise: undefined };
}

export const otherwiseBySlot: readonly (Value | undefined)[] = fields.map(
  (field) => valueOfField(field).otherwise,
);

/** A value as the language writes it. */
export function shownValue(value: Value): string {
  if (typeof value === "string") return `"${value}"`;
  if (typeof value !== "object") return String(value);
  return "empty";
}

/**
 * A warning for those who write rules with a field whose value is the same for every request; undefined for
 * other fields.
 */
export function neutralFieldText(field: FieldDefinition): string | undefined {
  const { otherwise, neutral } = valueOfField(field);
  if (otherwise === undefined || neutral === undefined) return undefined;
  return `${field.name} is ${shownValue(otherwise)} for every request here, as ${neutral}`;
}

const literal = /r(#*)"[^]*?"\1|"(?:[^"\\]|\\[^])*"/g;

export function fieldsIn(expressions: Iterable<string>): FieldDefinition[] {
  const named = new Set<string>();
  for (const expression of expressions) {
    for (const [name] of expression.replaceAll(literal, '""').matchAll(/[a-z0-9_]+(?:\.[a-z0-9_]+)+/gi))
      named.add(name);
  }
  return fields.filter(({ name }) => named.has(name));
}
