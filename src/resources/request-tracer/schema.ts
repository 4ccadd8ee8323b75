import { Type, type Static } from "@sinclair/typebox";
import type { TraceStep as TraceStepOfCore } from "../../core/judging/trace-step.ts";
import { requestLimits } from "../../core/judging/request-fields.ts";
import { Matching, OptionalNullable, OneOf } from "../../operation/schema.ts";

const { urlLengthMax, headerNameLengthMax, headerValueLengthMax, bodyOctetsMax } = requestLimits;

const text = Type.String({ maxLength: 255 });
const texts = (description: string) =>
  OptionalNullable(
    Type.Record(
      Type.String({ maxLength: headerNameLengthMax }),
      Type.String({ maxLength: headerValueLengthMax }),
      { description },
    ),
  );

const Location = Type.Object({
  city: OptionalNullable(text),
  continent: OptionalNullable(text),
  is_eu_country: OptionalNullable(Type.Boolean()),
  iso_code: OptionalNullable(text),
  latitude: OptionalNullable(Type.Number()),
  longitude: OptionalNullable(Type.Number()),
  postal_code: OptionalNullable(text),
  region_code: OptionalNullable(text),
  subdivision_2_iso_code: OptionalNullable(text),
  timezone: OptionalNullable(text),
});

/** A request that is traced, not sent (docs/contract/security-events.md#request-tracer). */
export const TraceBody = Type.Object({
  url: Type.String({ maxLength: urlLengthMax, description: "An absolute URL in a zone of the account." }),
  method: Matching("^[A-Za-z]+$", "must hold only letters", { minLength: 1, maxLength: 32 }),
  protocol: OptionalNullable(Type.String({ maxLength: 16 })),
  headers: texts("By name."),
  cookies: texts("By name."),
  body: OptionalNullable(
    Type.Object(
      {
        base64: OptionalNullable(Type.String()),
        json: OptionalNullable(Type.Unknown()),
        plain_text: OptionalNullable(Type.String()),
      },
      { description: `Rules see the first ${bodyOctetsMax} bytes.` },
    ),
  ),
  context: OptionalNullable(
    Type.Object({
      bot_score: OptionalNullable(Type.Integer({ minimum: 0, maximum: 99 })),
      threat_score: OptionalNullable(Type.Integer({ minimum: 0, maximum: 100 })),
      skip_challenge: OptionalNullable(Type.Boolean({ description: "Treat challenges as solved." })),
      geoloc: OptionalNullable(Location),
    }),
  ),
  skip_response: OptionalNullable(Type.Boolean()),
});
export type TraceBody = Static<typeof TraceBody>;
export type Location = Static<typeof Location>;

const TraceStep = Type.Unsafe<TraceStepOfCore>(
  Type.Recursive((This) =>
    Type.Object({
      step_name: Type.String({ description: "A phase, a product, or the id of a ruleset or a rule." }),
      type: OneOf(["phase", "product", "ruleset", "rule"]),
      matched: Type.Boolean(),
      name: Type.Optional(Type.String()),
      description: Type.Optional(Type.String()),
      kind: Type.Optional(Type.String()),
      expression: Type.Optional(Type.String()),
      action: Type.Optional(Type.String()),
      action_parameters: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
      trace: Type.Optional(Type.Array(This)),
    }),
  ),
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
