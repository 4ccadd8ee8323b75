/** A JSON Schema. */
export type Schema = Readonly<Record<string, unknown>>;

/**
 * The schema with each definition in the place of its reference, so that the path of an error shows where in an answer
 * it is. A definition within itself is left open: the steps of a trace have steps.
 */
export function withoutReferences(schema: Schema, defs: Readonly<Record<string, Schema>>): Schema {
  return resolved(schema, defs, []) as Schema;
}

function resolved(part: unknown, defs: Readonly<Record<string, Schema>>, within: readonly string[]): unknown {
  if (Array.isArray(part)) return part.map((item) => resolved(item, defs, within));
  if (typeof part !== "object" || part === null) return part;
  if ("$ref" in part) {
    const name = String(part.$ref).replace("#/$defs/", "");
    return within.includes(name) ? {} : resolved(defs[name], defs, [...within, name]);
  }
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, resolved(value, defs, within)]));
}
