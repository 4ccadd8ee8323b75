import * as fc from "fast-check";

/** The part of JSON Schema that the OpenAPI document uses. */
export interface Schema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly format?: string;
}

const itemsMax = 4;
const lengthMax = 5_000;

/** Text that means something to one part of the API or another, and text that has hurt other programs. */
const strings = [
  "", " ", "a", "@", "*", "*.example.com", "www.example.com", "example.com.", "xn--mnchen-3ya.example.com", "münchen.example.com",
  "A", "AAAA", "MX", "TXT", "CNAME", "HTTPS", "192.0.2.1", "192.0.2.0/24", "192.0.2.1/33", "2001:db8::1", "2001:db8::/32", "::ffff:192.0.2.1",
  "1 1 1 00", "10 mail.example.com.", "0 issue \"ca.example\"", "\"quoted\" \"twice\"", "v=spf1 -all", "1 . alpn=h2", "\\000\\256",
  "ssl", "ip.src eq 192.0.2.1", "http.host matches \"(a+)+$\"", "any(http.request.headers[\"a\"][*] eq \"b\")", "not not (ssl", "true",
  "block", "skip", "execute", "log", "rewrite", "http_request_firewall_custom", "http_request_firewall_managed", "latest", "current",
  "on", "off", "active", "pending", "free", "enterprise", "default", "deny", "allow", "asc", "desc", "any", "all",
  "2026-01-02T03:04:05Z", "2026-02-30T00:00:00Z", "2026-01-02", "9999-12-31T23:59:59.999999999Z", "-1", "0", "1", "1.5", "1e309", "99999999999999999999", "NaN",
  "0".repeat(32), "f".repeat(32), "efb7b8c949ac4650a09736fc376e9aee", "c504870194831cd12c3fc0284f294abb", "com.cloudflare.api.account.*", "com.cloudflare.api.account.zone.*",
  "a@example.com", "https://example.com/a?b=c#d", "http://[::1", "//", "/", "../..", "example.com/*", "*example.com/*/*/*", "data:,",
  "__proto__", "constructor", "toString", "hasOwnProperty", "null", "undefined", "'; drop table zones; --", "%", "_", "%00", "${a}", "{{a}}",
  "\0", "a\0b", "\ud800", "\udc00a", "\u{1f600}", "\u202e", "\ufeff", "\u007f", "\r\n", "\t", "ſ", "ß", "İ", "é".normalize("NFD"),
  "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", "{\"a\":1}", "[]", "AS64496", "T1", "XX", "DE",
  "x".repeat(63), "x".repeat(64), "x".repeat(255), "x".repeat(256), "x".repeat(4_097), `${"a.".repeat(126)}com`, "ü".repeat(300),
]; // prettier-ignore

const numbers = [
  0, -0, 1, -1, 2, 59, 60, 61, 255, 256, 65_535, 65_536, 86_400, 86_401, 2 ** 31 - 1, 2 ** 31, 2 ** 32, 2 ** 53 - 1, 2 ** 53,
  -(2 ** 31), -(2 ** 53), 1.5, -0.1, 1e21, 1e308, 5e-324,
]; // prettier-ignore

const codeUnit = fc
  .oneof(fc.integer({ min: 0, max: 0x7f }), fc.integer({ min: 0, max: 0xff_ff }))
  .map((unit) => String.fromCharCode(unit));

export const anyString = fc.oneof(
  { arbitrary: fc.constantFrom(...strings), weight: 4 },
  { arbitrary: fc.array(codeUnit, { maxLength: 40 }).map((units) => units.join("")), weight: 1 },
);

/** Any JSON value, most of them small. */
export const anyValue: fc.Arbitrary<unknown> = fc.oneof(
  { arbitrary: anyString, weight: 4 },
  { arbitrary: fc.constantFrom<unknown>(...numbers), weight: 2 },
  { arbitrary: fc.constantFrom<unknown>(null, true, false, [], {}, [null], [[]]), weight: 2 },
  { arbitrary: fc.jsonValue({ maxDepth: 3, noUnicodeString: false }), weight: 1 },
  { arbitrary: fc.array(anyString, { maxLength: itemsMax }), weight: 1 },
  { arbitrary: fc.dictionary(anyString, anyString, { maxKeys: 3 }), weight: 1 },
);

/** Values that a schema takes, many of them at its bounds. What it leaves open is anything. */
export function valuesOf(schema: Schema): fc.Arbitrary<unknown> {
  if ("const" in schema) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(valuesOf));
  if (schema.allOf)
    return fc.tuple(...schema.allOf.map(valuesOf)).map((parts) => Object.assign({}, ...parts));
  switch (schema.type) {
    case "string":
      return stringsOf(schema);
    case "integer":
    case "number":
      return numbersOf(schema);
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "array": {
      const { minItems = 0, maxItems = Math.max(itemsMax, minItems) } = schema;
      const bounds = { minLength: minItems, maxLength: Math.min(maxItems, minItems + itemsMax) };
      return fc.array(schema.items ? valuesOf(schema.items) : anyValue, bounds);
    }
    case "object":
      return objectsOf(schema);
    case undefined:
    default:
      return anyValue;
  }
}

function stringsOf({ minLength = 0, maxLength = lengthMax, pattern, format }: Schema): fc.Arbitrary<string> {
  if (pattern !== undefined) return fc.oneof(fc.stringMatching(new RegExp(pattern)), anyString);
  if (format === "date-time") return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
  const atBounds = [minLength, Math.min(maxLength, lengthMax)].map((length) => "b".repeat(length));
  const fits = (text: string): boolean => text.length >= minLength && text.length <= maxLength;
  // A filter would never end where no text is as long as it has to be.
  const fitting = anyString.map((text) => text.padEnd(minLength, "b").slice(0, maxLength));
  return fc.oneof(fc.constantFrom(...strings.filter(fits), ...atBounds), fitting);
}

function numbersOf({ type, minimum = -(2 ** 53), maximum = 2 ** 53 }: Schema): fc.Arbitrary<number> {
  const isInteger = type === "integer";
  const fits = (value: number): boolean =>
    value >= minimum && value <= maximum && (!isInteger || Number.isInteger(value));
  return fc.constantFrom(minimum, maximum, ...numbers.filter(fits));
}

function objectsOf({ properties = {}, patternProperties, required = [] }: Schema): fc.Arbitrary<object> {
  const named = fc.record(
    Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, valuesOf(schema)])),
    { requiredKeys: required.filter((name) => name in properties) },
  );
  const [others] = Object.values(patternProperties ?? {});
  if (others === undefined) return named;
  return fc
    .tuple(named, fc.dictionary(anyString, valuesOf(others), { maxKeys: 3 }))
    .map(([one, other]) => Object.assign(other, one));
}
