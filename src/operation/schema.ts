import { Type, type SchemaOptions, type StringOptions, type TSchema } from "@sinclair/typebox";

import { emailPattern } from "../core/email.ts";
import { nullIsUnset } from "../api/unset-members.ts";
import { patternRule } from "../api/validation.ts";

export const Nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

export const OptionalNullable = <Schema extends TSchema>(schema: Schema) => Type.Optional(Nullable(schema));

/** Any value; null for a member in it means that it is not set. */
export const Anything = (options?: SchemaOptions) => Type.Unknown({ ...options, [nullIsUnset]: true });

/** One of these values. */
export const OneOf = <const Value extends string | number>(
  values: readonly Value[],
  options?: SchemaOptions,
) =>
  Type.Unsafe<Value>(
    Type.Union(
      values.map((value) => Type.Literal(value)),
      options,
    ),
  );

/** A text that matches a pattern; `rule` says in the words of an error what it asks for. */
export const Matching = (pattern: string, rule: string, options?: StringOptions) =>
  Type.String({ ...options, pattern, [patternRule]: rule });

export const Identifier = (options?: StringOptions) =>
  Matching("^[0-9a-f]{32}$", "must be 32 hexadecimal characters in lower case", options);

export const EmailAddress = (options?: StringOptions) =>
  Matching(emailPattern, "must be an e-mail address", options);

/** A text without line breaks and other control characters. */
export const Line = (options?: StringOptions) =>
  Matching(String.raw`^[^\u0000-\u001f]*$`, "must not hold control characters", options);

/** The result of most deletions. */
export const IdOnly = Type.Object({ id: Type.String() });
