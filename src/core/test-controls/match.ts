import { follows, listOf, objectOf, type Check, integerBetween, oneOf, textOf } from "../validate/rules.ts";
import { listeners, type Exchange, type Listener } from "./exchange.ts";
import { compilePath, pathDistance } from "./path-pattern.ts";

/** A match of requests; a part that is left out holds for all. */
export interface Match {
  readonly listener?: Listener;
  readonly operation?: string;
  readonly method?: string | readonly string[];
  /** A pattern that `compilePath` takes. */
  readonly path?: string;
  readonly zone?: string;
  readonly token?: string;
  /** The value of each header by its name; `*` for any value. */
  readonly header?: Readonly<Record<string, string>>;
  /** Times of RFC 3339: from the first on, before the second. */
  readonly between?: { readonly from?: string; readonly to?: string };
}

/** A match of requests that have been answered. */
export interface AnsweredMatch extends Match {
  readonly status?: number;
}

export interface Miss {
  readonly part: keyof AnsweredMatch;
  readonly expected: unknown;
  readonly actual: unknown;
  /** The distance from a match: 0 is close, 1 is far. */
  readonly distance: number;
}

export interface CompiledMatch {
  readonly matches: (exchange: Exchange) => boolean;
  /** Returns every part that the exchange misses; none if it matches. */
  readonly misses: (exchange: Exchange) => readonly Miss[];
}

interface Part {
  readonly name: keyof AnsweredMatch;
  readonly expected: unknown;
  readonly accepts: (exchange: Exchange) => boolean;
  readonly actual: (exchange: Exchange) => unknown;
  readonly distance: (exchange: Exchange) => number;
}

export function compileMatch(match: AnsweredMatch): CompiledMatch {
  const parts = partsOf(match);
  return {
    matches: (exchange) => parts.every(({ accepts }) => accepts(exchange)),
    misses: (exchange) =>
      parts
        .filter(({ accepts }) => !accepts(exchange))
        .map(({ name, expected, actual, distance }) => ({
          part: name,
          expected,
          actual: actual(exchange) ?? null,
          distance: distance(exchange),
        })),
  };
}

const valueNames = ["listener", "operation", "zone", "token", "status"] as const;

function partsOf(match: AnsweredMatch): readonly Part[] {
  const far = (): number => 1;
  const parts: Part[] = valueNames.flatMap((name) => {
    const expected = match[name];
    const actual = (exchange: Exchange): unknown => exchange[name];
    const accepts = (exchange: Exchange): boolean => exchange[name] === expected;
    return expected === undefined ? [] : [{ name, expected, accepts, actual, distance: far }];
  });
  const { method, path, header, between } = match;
  if (method !== undefined) {
    const methods = new Set(typeof method === "string" ? [method] : method);
    parts.push({
      name: "method",
      expected: method,
      accepts: (exchange) => methods.has(exchange.method),
      actual: (exchange) => exchange.method,
      distance: far,
    });
  }
  if (path !== undefined) {
    const isWanted = compilePath(path);
    parts.push({
      name: "path",
      expected: path,
      accepts: (exchange) => isWanted(exchange.path),
      actual: (exchange) => exchange.path,
      distance: (exchange) => pathDistance(path, exchange.path),
    });
  }
  for (const [name, value] of Object.entries(header ?? {})) {
    const key = name.toLowerCase();
    parts.push({
      name: "header",
      expected: { [key]: value },
      accepts: ({ headers }) =>
        value === "*" ? headers[key] !== undefined : headerValue(headers[key]) === value,
      actual: ({ headers }) => ({ [key]: headerValue(headers[key]) ?? null }),
      distance: far,
    });
  }
  if (between !== undefined) {
    const from = between.from === undefined ? Number.NEGATIVE_INFINITY : Date.parse(between.from);
    const to = between.to === undefined ? Number.POSITIVE_INFINITY : Date.parse(between.to);
    parts.push({
      name: "between",
      expected: between,
      accepts: ({ at }) => at >= from && at < to,
      actual: ({ at }) => new Date(at).toISOString(),
      distance: far,
    });
  }
  return parts;
}

export function headerValue<Value extends string | undefined>(
  value: Value | readonly string[],
): Value | string {
  return typeof value === "object" ? value.join(", ") : value;
}

const textCharactersMax = 1_000;

const anyText: Check = follows(
  textOf(
    new RegExp(`^.{1,${textCharactersMax}}$`, "s"),
    `must be a text of 1 to ${textCharactersMax} characters`,
  ),
);
const methodName: Check = follows(textOf(/^[A-Z]{1,20}$/, "must be a method in capitals, such as POST"));
const identifier: Check = follows(textOf(/^[0-9a-f]{32}$/, "must be an id of 32 hexadecimal characters"));
const time: Check = follows({
  rule: "must be a time such as 2030-01-01T00:00:00Z",
  accepts: (value): value is string =>
    typeof value === "string" &&
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/.test(value) &&
    !Number.isNaN(Date.parse(value)),
});
const pathText: Check = follows(
  textOf(
    /^\/(?!.*\*\*.)\S{0,2000}$/,
    "must be a path that begins with a slash, with `**` only at its end, such as /client/v4/zones/*/dns_records",
  ),
);
const headerValues: Check = (value, pointer, issues) => {
  const names = typeof value === "object" && value !== null ? Object.keys(value) : [];
  objectOf(Object.fromEntries(names.map((name) => [name, anyText])))(value, pointer, issues);
};

const members: Readonly<Record<Exclude<keyof Match, "operation">, Check>> = {
  listener: follows(oneOf(...listeners)),
  method: (value, pointer, issues) =>
    (Array.isArray(value) ? listOf(methodName, 10) : methodName)(value, pointer, issues),
  path: pathText,
  zone: identifier,
  token: identifier,
  header: headerValues,
  between: objectOf({ from: time, to: time }),
};

export type OperationNames = ReadonlySet<string>;

/** Checks a match, with further members that only some matches have. */
export function matchCheck(operations: OperationNames, further: Readonly<Record<string, Check>> = {}): Check {
  const operation = follows({
    rule: "must be the name of an operation, such as createZone",
    accepts: (value): value is string => typeof value === "string" && operations.has(value),
  });
  return objectOf({ operation, ...members, ...further });
}

/** Checks `AnsweredMatch`, of untrusted JSON. */
export function answeredMatchCheck(operations: OperationNames): Check {
  return matchCheck(operations, { status: follows(integerBetween(0, 999)) });
}
