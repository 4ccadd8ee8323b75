import type { ExpressionUse, RuleContext } from "./rule-context.ts";
import { escapePointer } from "../error.ts";
import { isJsonObject } from "../json.ts";
import { integerBetween } from "../validate/rules.ts";
import { invalidValue, missingField, unknownField } from "./ruleset-error.ts";

/** A shape described as data, from which the dashboard builds forms without knowing the fields. */
export type Schema =
  | { readonly kind: "text"; readonly lengthMin: number; readonly lengthMax: number }
  | { readonly kind: "integer"; readonly min: number; readonly max: number }
  | { readonly kind: "flag" }
  | { readonly kind: "choice"; readonly choices: readonly (string | number | boolean)[] }
  | { readonly kind: "expression"; readonly use: ExpressionUse }
  | { readonly kind: "list"; readonly item: Schema }
  | { readonly kind: "record"; readonly item: Schema }
  | ObjectSchema;

export interface ObjectSchema {
  readonly kind: "object";
  readonly fields: Readonly<Record<string, FieldSchema>>;
  /** Fields exactly one of which must be given. */
  readonly alternatives?: readonly string[];
}

export interface FieldSchema {
  readonly schema: Schema;
  readonly isRequired: boolean;
}

export function described<Read extends (...parameters: never[]) => unknown>(
  read: Read,
  schema: Schema | undefined,
): Read & { readonly schema?: Schema } {
  return schema === undefined ? read : Object.assign(read, { schema });
}

/** The schema of an object of which exactly one of these fields is given. */
export function withAlternatives(
  schema: Schema | undefined,
  alternatives: readonly string[],
): Schema | undefined {
  return schema?.kind === "object" ? { ...schema, alternatives } : schema;
}

/**
 * Reads untrusted JSON: returns it with fields in the order of the shape, or throws with a pointer to the first
 * error.
 */
export interface Shape<Value> {
  (value: unknown, pointer: string, context: RuleContext): Value;
  /** Absent where there is nothing to fill in. */
  readonly schema?: Schema;
}

interface Field<Value, Required extends boolean = boolean> {
  readonly shape: Shape<Value>;
  readonly isRequired: Required;
}
type Fields = Readonly<Record<string, Field<unknown>>>;
type ValueOf<One> = One extends Field<infer Value> ? Value : never;
type RequiredNames<All> = {
  [Name in keyof All]: All[Name] extends Field<unknown, true> ? Name : never;
}[keyof All];
type ObjectOf<All> = {
  readonly [Name in RequiredNames<All>]: ValueOf<All[Name]>;
} & { readonly [Name in Exclude<keyof All, RequiredNames<All>>]?: ValueOf<All[Name]> };

export type ShapeValue<One> = One extends Shape<infer Value> ? Value : never;

export const required = <Value>(shape: Shape<Value>): Field<Value, true> => ({ shape, isRequired: true });
/** An optional field; null counts as omitted. */
export const optional = <Value>(shape: Shape<Value>): Field<Value, false> => ({ shape, isRequired: false });

interface TextBounds {
  readonly lengthMin?: number;
  readonly lengthMax?: number;
  readonly pattern?: RegExp;
}

/** By default of 1 to 4,096 characters. */
export function text({ lengthMin = 1, lengthMax = 4096, pattern }: TextBounds = {}): Shape<string> {
  const read: Shape<string> = (value, pointer) => {
    if (typeof value !== "string") throw invalidValue(pointer, value, "it is not a string");
    if (value.length < lengthMin) throw invalidValue(pointer, value, "it is empty");
    if (value.length > lengthMax) {
      throw invalidValue(pointer, value, `it is longer than ${lengthMax} characters`);
    }
    if (value.includes("\0") || !value.isWellFormed()) {
      throw invalidValue(pointer, value.toWellFormed(), "it holds characters that are not text");
    }
    if (pattern?.test(value) === false) throw invalidValue(pointer, value, "it is not of the right form");
    return value;
  };
  return described(read, { kind: "text", lengthMin, lengthMax });
}

/** The name of a header (RFC 9110 section 5.1). */
export const headerName = text({ lengthMax: 255, pattern: /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/ });

export function integer(min: number, max: number): Shape<number> {
  const { accepts } = integerBetween(min, max);
  const read: Shape<number> = (value, pointer) => {
    if (accepts(value)) return value;
    throw invalidValue(pointer, value, `it is not an integer between ${min} and ${max}`);
  };
  return described(read, { kind: "integer", min, max });
}

const readFlag: Shape<boolean> = (value, pointer) => {
  if (typeof value === "boolean") return value;
  throw invalidValue(pointer, value, "it is not a boolean");
};

export const flag = described(readFlag, { kind: "flag" });

export function oneOf<const Choice extends string | number | boolean>(
  choices: readonly Choice[],
): Shape<Choice> {
  const read: Shape<Choice> = (value, pointer) => {
    const choice = choices.find((one) => one === value);
    if (choice !== undefined) return choice;
    throw invalidValue(pointer, value, `it is not one of: ${choices.join(", ")}`);
  };
  return described(read, { kind: "choice", choices });
}

/** By default with at least one item. */
export function list<Item>(item: Shape<Item>, itemsMax: number, itemsMin = 1): Shape<readonly Item[]> {
  const read: Shape<readonly Item[]> = (value, pointer, context) => {
    if (!Array.isArray(value)) throw invalidValue(pointer, value, "it is not a list");
    if (value.length < itemsMin) throw invalidValue(pointer, value, "it is empty");
    if (value.length > itemsMax) throw invalidValue(pointer, "…", `it has more than ${itemsMax} items`);
    return value.map((one, index) => item(one, `${pointer}/${index}`, context));
  };
  return described(read, item.schema && { kind: "list", item: item.schema });
}

/** A list without duplicate values of `key`. */
export function uniqueList<Item>(
  item: Shape<Item>,
  itemsMax: number,
  key: (item: Item) => unknown = (one) => one,
): Shape<readonly Item[]> {
  const readAll = list(item, itemsMax);
  const read: Shape<readonly Item[]> = (value, pointer, context) => {
    const items = readAll(value, pointer, context);
    const seen = new Set<unknown>();
    for (const [index, one] of items.entries()) {
      if (seen.has(key(one))) {
        throw invalidValue(`${pointer}/${index}`, key(one), "it is there twice", "duplicate");
      }
      seen.add(key(one));
    }
    return items;
  };
  return described(read, readAll.schema);
}

/** An object with arbitrary names, which are checked too. */
export function record<Item>(
  name: Shape<string>,
  item: Shape<Item>,
  entriesMax: number,
): Shape<Readonly<Record<string, Item>>> {
  const read: Shape<Readonly<Record<string, Item>>> = (value, pointer, context) => {
    const entries = Object.entries(requireObject(value, pointer));
    if (entries.length === 0) throw invalidValue(pointer, value, "it is empty");
    if (entries.length > entriesMax) {
      throw invalidValue(pointer, "…", `it has more than ${entriesMax} entries`);
    }
    return Object.fromEntries(
      entries.map(([key, one]) => {
        const place = `${pointer}/${escapePointer(key)}`;
        return [name(key, place, context), item(one, place, context)];
      }),
    );
  };
  return described(read, item.schema && { kind: "record", item: item.schema });
}

/** An object of these fields only, with at least `fieldsMin` of them. */
export function object<const All extends Fields>(fields: All, fieldsMin = 0): Shape<ObjectOf<All>> {
  const entries = Object.entries(fields);
  const tooFew = `it needs at least ${fieldsMin} of: ${Object.keys(fields).join(", ")}`;
  const read: Shape<ObjectOf<All>> = (value, pointer, context) => {
    const sent = requireObject(value, pointer);
    for (const name of Object.keys(sent)) {
      if (!Object.hasOwn(fields, name)) throw unknownField(`${pointer}/${escapePointer(name)}`, name);
    }
    const result: Record<string, unknown> = {};
    for (const [name, { shape, isRequired }] of entries) {
      const one = Object.hasOwn(sent, name) ? sent[name] : undefined;
      if (one !== undefined && one !== null) result[name] = shape(one, `${pointer}/${name}`, context);
      else if (isRequired) throw missingField(`${pointer}/${name}`);
    }
    if (Object.keys(result).length < fieldsMin) throw invalidValue(pointer, value, tooFew);
    return result as ObjectOf<All>;
  };
  return described(read, objectSchema(fields));
}

function objectSchema(fields: Fields): ObjectSchema {
  const drawn = Object.entries(fields).flatMap(([name, { shape, isRequired }]): [string, FieldSchema][] =>
    shape.schema === undefined ? [] : [[name, { schema: shape.schema, isRequired }]],
  );
  return { kind: "object", fields: Object.fromEntries(drawn) };
}

/** Requires exactly one of `names`. */
export function oneOfFields<Value extends object>(
  shape: Shape<Value>,
  names: readonly (keyof Value & string)[],
): Shape<Value> {
  const readOne: Shape<Value> = (value, pointer, context) => {
    const read = shape(value, pointer, context);
    if (names.filter((name) => read[name] !== undefined).length === 1) return read;
    throw invalidValue(pointer, value, `exactly one of these has to be given: ${names.join(", ")}`);
  };
  return described(readOne, withAlternatives(shape.schema, names));
}

/** Errors: `invalidValue` unless it is a JSON object. */
export function requireObject(value: unknown, pointer: string): Readonly<Record<string, unknown>> {
  if (isJsonObject(value)) return value;
  throw invalidValue(pointer, value, "it is not an object");
}
