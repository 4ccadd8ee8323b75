import type { FieldSchema, ObjectSchema, Schema } from "../../../../../src/core/rulesets/shapes.ts";
import { isJsonObject } from "../../../../../src/core/json.ts";

/** Objects with more optional fields than that show those that are set, and offer the others. */
const shownAtOnceMax = 4;

/** The first value of a field that is added: required parts, and one of alternatives. */
export function initialOf(schema: Schema): unknown {
  switch (schema.kind) {
    case "text":
    case "expression":
      return "";
    case "integer":
      return Math.max(schema.min, 0);
    case "flag":
      return true;
    case "choice":
      return schema.choices[0];
    case "list":
      return [];
    case "record":
      return {};
    case "object": {
      const { fields, alternatives: [first] = [] } = schema;
      const given = Object.entries(fields).filter(([name, { isRequired }]) => isRequired || name === first);
      return Object.fromEntries(given.map(([name, field]) => [name, initialOf(field.schema)]));
    }
  }
}

export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isJsonObject(value) ? value : {};
}

/** An object with another value of a field; undefined takes the field away. */
export function withField(value: unknown, name: string, changed: unknown): Record<string, unknown> {
  const { [name]: _before, ...others } = fieldsOf(value);
  if (changed === undefined) return others;
  // A field keeps its place among the others.
  return name in fieldsOf(value) ? { ...fieldsOf(value), [name]: changed } : { ...others, [name]: changed };
}

interface DrawnFields {
  /** Names of fields of which one is given, and the one that is. */
  readonly alternatives: readonly string[];
  readonly chosen: string | undefined;
  readonly shown: readonly (readonly [name: string, field: FieldSchema])[];
  /** Names of fields that may be added. */
  readonly offered: readonly string[];
  /** Names of fields that were added, and may be taken away. */
  readonly removable: readonly string[];
}

/** The fields of an object that are drawn for a value, and those that are offered. */
export function drawnFields({ fields, alternatives = [] }: ObjectSchema, value: unknown): DrawnFields {
  const given = fieldsOf(value);
  const chosen = alternatives.find((name) => name in given) ?? alternatives[0];
  const others = Object.entries(fields).filter(([name]) => !alternatives.includes(name));
  const isLong = others.filter(([, { isRequired }]) => !isRequired).length > shownAtOnceMax;
  const isAlwaysThere = ({ schema, isRequired }: FieldSchema): boolean =>
    isRequired || (!isLong && isOneField(schema));
  const isShown = (name: string, field: FieldSchema): boolean => name in given || isAlwaysThere(field);
  const chosenField = chosen === undefined ? undefined : fields[chosen];
  return {
    alternatives,
    chosen,
    shown: [
      ...(chosen === undefined || chosenField === undefined
        ? []
        : [[chosen, { ...chosenField, isRequired: true }] as const]),
      ...others.filter(([name, field]) => isShown(name, field)),
    ],
    offered: others.filter(([name, field]) => !isShown(name, field)).map(([name]) => name),
    removable: others.filter(([name, field]) => name in given && !isAlwaysThere(field)).map(([name]) => name),
  };
}

function isOneField(schema: Schema): boolean {
  if (schema.kind === "list") return isOneField(schema.item);
  return schema.kind !== "object" && schema.kind !== "record";
}

/** An object that gives another one of its alternatives. */
export function withAlternative(
  schema: ObjectSchema,
  value: unknown,
  chosen: string,
): Record<string, unknown> {
  const kept = Object.entries(fieldsOf(value)).filter(
    ([name]) => schema.alternatives?.includes(name) !== true,
  );
  const field = schema.fields[chosen];
  return { ...(field && { [chosen]: initialOf(field.schema) }), ...Object.fromEntries(kept) };
}
