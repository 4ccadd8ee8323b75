import { Type, type SchemaOptions, type TSchema } from "@sinclair/typebox";

export const Nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

export const OptionalNullable = <Schema extends TSchema>(schema: Schema) => Type.Optional(Nullable(schema));

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

/** The result of most deletions. */
export const IdOnly = Type.Object({ id: Type.String() });
