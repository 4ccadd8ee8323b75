import { Type, type Static } from "@sinclair/typebox";

import { Nullable, OptionalNullable } from "../../operation/schema.ts";

/** A GraphQL request. */
export const GraphqlBody = Type.Object({
  query: Type.String({ maxLength: 32_768 }),
  variables: OptionalNullable(Type.Record(Type.String(), Type.Unknown())),
  operationName: OptionalNullable(Type.String()),
});
export type GraphqlBody = Static<typeof GraphqlBody>;

/** Either data or errors. */
export const GraphqlAnswer = Type.Object({
  data: Nullable(Type.Record(Type.String(), Type.Unknown())),
  errors: Nullable(
    Type.Array(
      Type.Object({
        message: Type.String(),
        path: Nullable(Type.Array(Type.String())),
        extensions: Type.Object({
          timestamp: Type.String({ format: "date-time" }),
          code: Type.Optional(Type.String()),
        }),
      }),
    ),
  ),
});
export type GraphqlAnswer = Static<typeof GraphqlAnswer>;
