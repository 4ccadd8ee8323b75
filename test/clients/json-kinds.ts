/**
 * The type that a typed client decodes a JSON value as: a type of JSON, or one of the two that it tells apart
 * besides.
 */
export function kindOf(value: unknown): string {
  if (Array.isArray(value)) return "array";
  if (Number.isInteger(value)) return "integer";
  if (typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/.test(value)) return "time";
  return value === null ? "null" : typeof value;
}

/** The kind of every value inside of an object, by its dotted path. */
export function kindsOf(object: object, prefix = ""): Record<string, string> {
  const kinds = Object.entries(object).map(([name, value]: [string, unknown]): Record<string, string> => {
    const path = prefix + name;
    return kindOf(value) === "object" ? kindsOf(value as object, `${path}.`) : { [path]: kindOf(value) };
  });
  return Object.assign({}, ...kinds);
}
