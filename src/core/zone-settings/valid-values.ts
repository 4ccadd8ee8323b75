import { isJsonObject } from "../json.ts";
import { toAsciiName } from "../dns/content/name.ts";

/** A plain JSON schema; building one with TypeBox for each setting would slow down the start. */
export interface ValueSchema {
  readonly type?: "boolean" | "integer" | "string" | "array" | "object" | "null";
  readonly description?: string;
  readonly enum?: readonly (string | number)[];
  readonly anyOf?: readonly ValueSchema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly items?: ValueSchema;
  readonly uniqueItems?: boolean;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, ValueSchema>>;
  readonly required?: readonly string[];
}

/** The valid values of a setting: for the documentation and to parse what is sent. */
export interface ValidValues {
  readonly schema: ValueSchema;
  /** The value in canonical form; undefined if it is invalid. `present` is the current value. */
  readonly parse: (sent: unknown, present: unknown) => unknown;
}

export function oneOf(...values: readonly (string | number)[]): ValidValues {
  return {
    schema: { enum: values },
    parse: (sent) => values.find((value) => value === sent),
  };
}

export const onOrOff = oneOf("on", "off");

export const trueOrFalse: ValidValues = {
  schema: { type: "boolean" },
  parse: (sent) => (typeof sent === "boolean" ? sent : undefined),
};

export function integer(minimum: number, maximum: number): ValidValues {
  return {
    schema: { type: "integer", minimum, maximum },
    parse: (sent) => (isIntegerWithin(sent, minimum, maximum) ? sent : undefined),
  };
}

/** An integer that the public service answers as text; both are accepted. */
export function integerAsText(minimum: number, maximum: number): ValidValues {
  return {
    schema: { type: "string", pattern: "^[0-9]+$", description: `Integer from ${minimum} to ${maximum}.` },
    parse: (sent) => {
      const value = typeof sent === "string" && /^[0-9]{1,9}$/.test(sent) ? Number(sent) : sent;
      return isIntegerWithin(value, minimum, maximum) ? String(value) : undefined;
    },
  };
}

/** A text without control characters and lone surrogates. */
export function text(maxLength: number): ValidValues {
  const pattern = new RegExp(`^[^\\p{Cc}\\p{Cs}]{0,${maxLength}}$`, "u");
  return {
    schema: { type: "string", maxLength },
    parse: (sent) => (typeof sent === "string" && pattern.test(sent) ? sent : undefined),
  };
}

function nullable(values: ValidValues): ValidValues {
  return {
    schema: { anyOf: [values.schema, { type: "null" }] },
    parse: (sent, present) => (sent === null ? null : values.parse(sent, present)),
  };
}

/** A form that also accepts null, for which some clients send the empty text. */
export function emptyOr(values: ValidValues): ValidValues {
  const orNull = nullable(values);
  return { ...orNull, parse: (sent, present) => (sent === "" ? null : orNull.parse(sent, present)) };
}

/** A host name or a single label, in ASCII and lower case. */
export const hostname: ValidValues = {
  schema: { type: "string", minLength: 1, maxLength: 253 },
  parse: (sent) => (typeof sent === "string" && sent !== "" ? toAsciiName(sent) : undefined),
};

/** Unique values, in the order sent. */
export function listOf(values: ValidValues, maxItems: number): ValidValues {
  return {
    schema: { type: "array", items: values.schema, uniqueItems: true, maxItems },
    parse: (sent) => {
      if (!Array.isArray(sent) || sent.length > maxItems) return undefined;
      const parsed = sent.map((item) => values.parse(item, undefined));
      const isValid = !parsed.includes(undefined) && new Set(parsed).size === parsed.length;
      return isValid ? parsed : undefined;
    },
  };
}

/**
 * An object. Omitted members keep their values, also null ones where null is no value; unknown members are
 * ignored.
 */
export function object(members: Readonly<Record<string, ValidValues>>): ValidValues {
  const entries = Object.entries(members);
  return {
    schema: {
      type: "object",
      properties: Object.fromEntries(entries.map(([name, { schema }]) => [name, schema])),
      required: Object.keys(members),
    },
    parse: (sent, present) => {
      if (!isJsonObject(sent)) return undefined;
      const earlier = isJsonObject(present) ? present : {};
      const parsed = entries.map(([name, values]): [string, unknown] => {
        const value = sent[name] === undefined ? undefined : values.parse(sent[name], earlier[name]);
        return [name, value === undefined && sent[name] == null ? earlier[name] : value];
      });
      return parsed.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(parsed);
    },
  };
}

function isIntegerWithin(value: unknown, minimum: number, maximum: number): boolean {
  return Number.isInteger(value) && (value as number) >= minimum && (value as number) <= maximum;
}
