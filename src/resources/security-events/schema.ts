import { Type, type Static } from "@sinclair/typebox";

const Nullable = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) =>
  Type.Optional(Type.Union([schema, Type.Null()]));

/** A GraphQL request. */
export const GraphqlBody = Type.Object({
  query: Type.String({ maxLength: 32_768 }),
  variables: Nullable(Type.Record(Type.String(), Type.Unknown())),
  operationName: Nullable(Type.String()),
});
export type GraphqlBody = Static<typeof GraphqlBody>;

/** Data or errors, never both. */
export const GraphqlAnswer = Type.Object({
  data: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()]),
  errors: Type.Union([
    Type.Array(
      Type.Object({
        message: Type.String(),
        path: Type.Union([Type.Array(Type.String()), Type.Null()]),
        extensions: Type.Object({
          timestamp: Type.String({ format: "date-time" }),
          code: Type.Optional(Type.String()),
        }),
      }),
    ),
    Type.Null(),
  ]),
});
export type GraphqlAnswer = Static<typeof GraphqlAnswer>;
