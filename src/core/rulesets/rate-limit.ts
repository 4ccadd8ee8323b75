import { expression } from "./action-parameters.ts";
import {
  described,
  withAlternatives,
  flag,
  integer,
  object,
  optional,
  required,
  text,
  uniqueList,
  type Shape,
  type ShapeValue,
} from "./shapes.ts";
import { rulesetLimits } from "./limits.ts";
import { invalidValue } from "./ruleset-error.ts";

/** Valid characteristics other than fields. */
const characteristicsOfTheEdge: ReadonlySet<string> = new Set([
  "cf.colo.id",
  "cf.unique_visitor_id",
  "cf.api_gateway.fallthrough_detected",
  "ip.nat",
]);

const characteristicExpression = expression("value");
const readCharacteristic: Shape<string> = (value, pointer, context) =>
  typeof value === "string" && characteristicsOfTheEdge.has(value)
    ? value
    : characteristicExpression(value, pointer, context);
const characteristic = described(readCharacteristic, characteristicExpression.schema);

const daySeconds = 86_400;
const countMax = 1_000_000_000;

const fields = object({
  characteristics: required(uniqueList(characteristic, rulesetLimits.parametersMax)),
  period: required(integer(10, daySeconds)),
  requests_per_period: optional(integer(1, countMax)),
  mitigation_timeout: optional(integer(0, daySeconds)),
  counting_expression: optional(emptyOr(expression("count"))),
  requests_to_origin: optional(flag),
  score_per_period: optional(integer(1, countMax)),
  score_response_header_name: optional(text({ lengthMax: 255 })),
});

export type RateLimit = ShapeValue<typeof fields>;

const readRateLimit: Shape<RateLimit> = (value, pointer, context) => {
  const limit = fields(value, pointer, context);
  const byRequests = limit.requests_per_period !== undefined;
  const byScore = limit.score_per_period !== undefined;
  if (byRequests === byScore) {
    const reason = "exactly one of these has to be given: requests_per_period, score_per_period";
    throw invalidValue(pointer, value, reason);
  }
  return { mitigation_timeout: 0, ...limit };
};

/** Limits requests, or the sum of a score, in a period of seconds. */
export const rateLimit = described(
  readRateLimit,
  withAlternatives(fields.schema, ["requests_per_period", "score_per_period"]),
);

/** Expressions for the credentials to check. */
export const exposedCredentialCheck = object({
  username_expression: required(expression("value")),
  password_expression: required(expression("value")),
});

export type ExposedCredentialCheck = ShapeValue<typeof exposedCredentialCheck>;

/** Clients send the empty text for an unset expression. */
function emptyOr(shape: Shape<string>): Shape<string> {
  const read: Shape<string> = (value, pointer, context) =>
    value === "" ? "" : shape(value, pointer, context);
  return described(read, shape.schema);
}
