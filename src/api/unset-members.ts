import type { TSchema } from "@sinclair/typebox";
import { isJsonObject } from "../core/json.ts";

type Schema = Readonly<Record<string, unknown>>;

/** Marks a schema that says nothing of what is in a value: no member in it, at any depth, takes null. */
export const nullIsUnset = "x-null-is-unset";

const nullSchema = { type: "null" };

/**
 * Null for an optional member means that it is not set (docs/contract/envelope.md#null). Answers the function that
 * takes such members out of a parsed body, in place. A member keeps a null that its schema takes.
 */
export function unsetMembers(schema: TSchema): (value: unknown) => void {
  return unsettingOf([schema]) ?? (() => {});
}

/** The same rule for who reads the schema: every optional member takes null. */
export function withUnsetMembers(schema: Schema): Schema {
  const { properties, items, patternProperties } = schema;
  const alternatives = Object.fromEntries(
    (["anyOf", "allOf"] as const)
      .filter((key) => schema[key] !== undefined)
      .map((key) => [key, (schema[key] as readonly Schema[]).map(withUnsetMembers)]),
  );
  return {
    ...schema,
    ...alternatives,
    ...(items !== undefined && { items: withUnsetMembers(items as Schema) }),
    ...(patternProperties !== undefined && {
      patternProperties: mapMembers(patternProperties, (_, part) => withUnsetMembers(part)),
    }),
    ...(properties !== undefined && {
      properties: mapMembers(properties, (name, part) => {
        const inner = withUnsetMembers(part);
        return isRequired(schema, name) || takesNull(part) ? inner : orNull(inner);
      }),
    }),
  };
}

function orNull(schema: Schema): Schema {
  if (schema["anyOf"] !== undefined)
    return { ...schema, anyOf: [...(schema["anyOf"] as Schema[]), nullSchema] };
  const { description, ...rest } = schema;
  return { ...(description !== undefined && { description }), anyOf: [rest, nullSchema] };
}

function unsettingOf(schemas: readonly Schema[]): ((value: unknown) => void) | undefined {
  const parts = schemas.flatMap(partsOf);
  if (parts.some((part) => part[nullIsUnset] === true)) return unsetAll;
  const unsetItems = unsettingOfAny(
    parts.flatMap(({ items }) => (items === undefined ? [] : [items as Schema])),
  );
  const unsetOthers = unsettingOfAny(
    parts.flatMap(({ patternProperties }) =>
      Object.values((patternProperties ?? {}) as Record<string, Schema>),
    ),
  );
  const members = new Map<string, Member>();
  for (const name of new Set(parts.flatMap(({ properties }) => Object.keys(properties ?? {})))) {
    const holders = parts.filter(({ properties }) => Object.hasOwn(properties ?? {}, name));
    const ofName = holders.map(({ properties }) => (properties as Record<string, Schema>)[name] as Schema);
    const isUnset = holders.some((holder) => !isRequired(holder, name)) && !ofName.some(takesNull);
    const unset = unsettingOfAny(ofName);
    if (isUnset || unset !== undefined) members.set(name, { isUnset, unset });
  }
  if (members.size === 0 && unsetItems === undefined && unsetOthers === undefined) return undefined;
  return (value) => {
    if (Array.isArray(value)) {
      if (unsetItems !== undefined) for (const item of value) unsetItems(item);
      return;
    }
    if (!isJsonObject(value)) return;
    for (const [name, inner] of Object.entries(value)) {
      const member = members.get(name);
      if (inner !== null) (member?.unset ?? (member === undefined ? unsetOthers : undefined))?.(inner);
      else if (member?.isUnset === true) Reflect.deleteProperty(value, name);
    }
  };
}

function unsetAll(value: unknown): void {
  if (Array.isArray(value)) value.forEach(unsetAll);
  if (!isJsonObject(value)) return;
  for (const [name, inner] of Object.entries(value)) {
    if (inner === null) Reflect.deleteProperty(value, name);
    else unsetAll(inner);
  }
}

interface Member {
  readonly isUnset: boolean;
  readonly unset: ((value: unknown) => void) | undefined;
}

function unsettingOfAny(schemas: readonly Schema[]): ((value: unknown) => void) | undefined {
  return schemas.length === 0 ? undefined : unsettingOf(schemas);
}

/** The schema and its alternatives, at any depth. */
function partsOf(schema: Schema): Schema[] {
  const inner = [...((schema["anyOf"] ?? []) as Schema[]), ...((schema["allOf"] ?? []) as Schema[])];
  return [schema, ...inner.flatMap(partsOf)];
}

/** A default stands for a member that is not set. */
function isRequired({ required, properties }: Schema, name: string): boolean {
  const { [name]: part } = properties as Readonly<Record<string, Schema>>;
  return ((required ?? []) as readonly string[]).includes(name) && part?.["default"] === undefined;
}

function takesNull({ type, anyOf, allOf, ...others }: Schema): boolean {
  if (anyOf !== undefined) return (anyOf as Schema[]).some(takesNull);
  if (allOf !== undefined) return (allOf as Schema[]).every(takesNull);
  if (type !== undefined) return type === "null";
  return others["const"] === undefined && others["enum"] === undefined && others[nullIsUnset] !== true;
}

function mapMembers(
  members: unknown,
  become: (name: string, part: Schema) => Schema,
): Record<string, Schema> {
  return Object.fromEntries(
    Object.entries(members as Record<string, Schema>).map(([name, part]) => [name, become(name, part)]),
  );
}
