import { elementType, isArray, isMap, type ScalarType } from "../../../src/core/expression/value-type.ts";
import type { FieldChoice } from "./checker.ts";
import type { Condition } from "./conditions.ts";

/** The subject of a condition: a field, or one or several of the values of a field. */
export interface Subject extends Pick<Condition, "field" | "type" | "key" | "each"> {
  readonly label: string;
  /** The reason why it is the same for every request. */
  readonly note: string | undefined;
}

/** The fields that are used most, by other names; they come first. */
const names: Readonly<Record<string, string>> = {
  "http.host": "Host name",
  "http.request.uri.path": "URI path",
  "http.request.uri.query": "URI query",
  "http.request.uri": "URI",
  "http.request.full_uri": "Full URI",
  "ip.src": "Client address",
  "ip.src.country": "Country",
  "ip.src.continent": "Continent",
  "ip.src.asnum": "AS number",
  "http.request.method": "Method",
  "http.user_agent": "User agent",
  "http.referer": "Referer",
  "http.cookie": "Cookie header",
  "http.request.headers": "Header",
  "http.request.cookies": "Cookie",
  "http.request.uri.args": "Query parameter",
  "http.request.version": "HTTP version",
  ssl: "HTTPS",
};

const order = Object.keys(names);
const rank = (field: string): number => (order.includes(field) ? order.indexOf(field) : order.length);

/** The fields as subjects of conditions, the usual ones first. */
export function subjectsOf(fields: readonly FieldChoice[]): Subject[] {
  return fields
    .flatMap(({ name, type, note }) => {
      const scalar = scalarOf(type);
      if (scalar === undefined) return [];
      return {
        field: name,
        label: name in names ? `${names[name]} (${name})` : name,
        type: scalar,
        note,
        ...(type !== scalar && { each: "any" as const }),
        ...(isMap(type) && { key: "" }),
      };
    })
    .toSorted((one, other) => rank(one.field) - rank(other.field));
}

/** The type of the values of a field; undefined for one that has lists within lists. */
function scalarOf(type: FieldChoice["type"]): ScalarType | undefined {
  const inner = isMap(type) ? elementType(type) : type;
  const scalar = inner !== undefined && isArray(inner) ? elementType(inner) : inner;
  return (["Bool", "Bytes", "Int", "Ip"] as const).find((one) => one === scalar);
}
