import { Type, type Static, type TSchema } from "@sinclair/typebox";

import { requestLimits } from "../../core/rulesets/request-limits.ts";

const { urlLengthMax, headerNameLengthMax, headerValueLengthMax, bodyOctetsMax } = requestLimits;

const Optional = <Schema extends TSchema>(schema: Schema) => Type.Optional(Type.Union([schema, Type.Null()]));
const text = Type.String({ maxLength: 255 });
const texts = (description: string) =>
  Optional(
    Type.Record(
      Type.String({ maxLength: headerNameLengthMax }),
      Type.String({ maxLength: headerValueLengthMax }),
      { description },
    ),
  );

const Location = Type.Object({
  city: Optional(text),
  continent: Optional(text),
  is_eu_country: Optional(Type.Boolean()),
  iso_code: Optional(text),
  latitude: Optional(Type.Number()),
  longitude: Optional(Type.Number()),
  postal_code: Optional(text),
  region_code: Optional(text),
  subdivision_2_iso_code: Optional(text),
  timezone: Optional(text),
});

/** A request that is traced, not sent (docs/contract/security-events.md#request-tracer). */
export const TraceBody = Type.Object({
  url: Type.String({ maxLength: urlLengthMax, description: "An absolute URL in a zone of the account." }),
  method: Type.String({ minLength: 1, maxLength: 32, pattern: "^[A-Za-z]+$" }),
  protocol: Optional(Type.String({ maxLength: 16 })),
  headers: texts("By name."),
  cookies: texts("By name."),
  body: Optional(
    Type.Object(
      {
        base64: Optional(Type.String()),
        json: Optional(Type.Unknown()),
        plain_text: Optional(Type.String()),
      },
      { description: `Rules see the first ${bodyOctetsMax} bytes.` },
    ),
  ),
  context: Optional(
    Type.Object({
      bot_score: Optional(Type.Integer({ minimum: 0, maximum: 99 })),
      threat_score: Optional(Type.Integer({ minimum: 0, maximum: 100 })),
      skip_challenge: Optional(Type.Boolean({ description: "Treat challenges as solved." })),
      geoloc: Optional(Location),
    }),
  ),
  skip_response: Optional(Type.Boolean()),
});
export type TraceBody = Static<typeof TraceBody>;
export type Location = Static<typeof Location>;

const TraceStep = Type.Recursive((This) =>
  Type.Object({
    step_name: Type.String({ description: "A phase, a product, or the id of a ruleset or a rule." }),
    type: Type.Union([
      Type.Literal("phase"),
      Type.Literal("product"),
      Type.Literal("ruleset"),
      Type.Literal("rule"),
    ]),
    matched: Type.Boolean(),
    name: Type.Optional(Type.String()),
    description: Type.Optional(Type.String()),
    kind: Type.Optional(Type.String()),
    expression: Type.Optional(Type.String()),
    action: Type.Optional(Type.String()),
    action_parameters: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    trace: Type.Optional(Type.Array(This)),
  }),
);

export const RequestTrace = Type.Object({
  status_code: Type.Optional(
    Type.Integer({
      description:
        "The status that a rule answers, also one of the previous WAF; absent if the request reaches the origin.",
    }),
  ),
  origin_request: Type.Optional(
    Type.Object(
      {
        url: Type.String(),
        headers: Type.Array(Type.Object({ name: Type.String(), value: Type.String() })),
      },
      {
        description:
          "The request as the origin would get it, without the headers that an edge adds by itself; absent if a rule answers.",
      },
    ),
  ),
  trace: Type.Array(TraceStep),
});
