import { Type, type TObject, type TProperties } from "@sinclair/typebox";

import { listeners } from "../core/test-controls/exchange.ts";
import { presetNames } from "../core/test-controls/fault.ts";

const oneOf = (choices: readonly string[]) => Type.Union(choices.map((choice) => Type.Literal(choice)));
const count = (description: string) => Type.Integer({ minimum: 1, description });
const milliseconds = Type.Integer({ minimum: 0, maximum: 86_400_000 });
const failureStatus = Type.Integer({ minimum: 400, maximum: 599 });

const matchParts = {
  listener: Type.Optional(oneOf(listeners)),
  operation: Type.Optional(
    Type.String({ description: "The name of an operation of the API, such as `createZone`." }),
  ),
  method: Type.Optional(
    Type.Union([Type.String(), Type.Array(Type.String())], {
      description: "`QUERY` for questions of DNS; `MESSAGE`, `PUSH` and `RELAY` for those of WebSockets.",
    }),
  ),
  path: Type.Optional(
    Type.String({
      description:
        "Path of the URL: `*` or `{name}` stands for one segment, `**` at the end for any number. For questions of DNS " +
        "name and type, `/www.example.com/A`.",
    }),
  ),
  zone: Type.Optional(Type.String({ description: "Id of a zone." })),
  token: Type.Optional(Type.String({ description: "Id of an API token." })),
  header: Type.Optional(
    Type.Record(Type.String(), Type.String(), { description: "Values by name; `*` for any value." }),
  ),
  between: Type.Optional(
    Type.Object({
      from: Type.Optional(Type.String({ format: "date-time" })),
      to: Type.Optional(Type.String({ format: "date-time", description: "Before this time." })),
    }),
  ),
};

export const AnsweredMatchSchema = Type.Object({
  ...matchParts,
  status: Type.Optional(Type.Integer({ description: "Of the answer; the code of a response of DNS." })),
});

const FaultMatchSchema = Type.Object({
  ...matchParts,
  share: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description: "Of the requests that match; which, `seed` decides.",
    }),
  ),
  seed: Type.Optional(Type.Integer({ minimum: 0 })),
  next: Type.Optional(count("So many requests, then no more.")),
  every: Type.Optional(count("Each second request for 2, each third for 3.")),
});

function effect(type: string, description: string, members: TProperties = {}): TObject {
  return Type.Object({ type: Type.Literal(type), ...members }, { description });
}

const EffectSchema = Type.Union([
  effect("error", "An error in place of the operation: of the API, of JSON-RPC, or a code of DNS.", {
    status: Type.Optional(failureStatus),
    code: Type.Optional(Type.Integer()),
    message: Type.Optional(Type.String()),
  }),
  effect("rate_limit", "429 with `Retry-After` and the headers of rate limits.", {
    retry_after_seconds: Type.Optional(Type.Integer({ minimum: 0, maximum: 86_400 })),
  }),
  effect("latency", "A delay before anything else; another fault may act as well.", {
    ms: Type.Union([milliseconds, Type.Object({ min: milliseconds, max: milliseconds })]),
  }),
  effect("slow_body", "The body of the answer, slowly.", { bytes_per_second: Type.Integer({ minimum: 1 }) }),
  effect("close", "The connection is closed before the operation runs, within its answer or after it.", {
    when: oneOf(["before", "within", "after"]),
  }),
  effect("lost_answer", "The operation runs, and the connection is closed without an answer."),
  effect("bad_json", "An answer whose JSON is cut off or wrong.", {
    form: oneOf(["truncated", "malformed"]),
  }),
  effect("html", "A page of HTML, as proxies send it.", { status: Type.Optional(failureStatus) }),
  effect("stale_read", "The last other answer to the same GET of the same caller that the journal has."),
  effect("page", "A page of a list is answered as the one before it, or left out.", {
    form: oneOf(["repeated", "missing"]),
    page: Type.Optional(Type.Integer({ minimum: 2 })),
  }),
]);

const FaultRuleSchema = Type.Object({
  name: Type.Optional(Type.String()),
  match: Type.Optional(FaultMatchSchema),
  effect: EffectSchema,
});

/** The body of the operation that adds faults. */
export const NewFaults = Type.Union([
  FaultRuleSchema,
  Type.Array(FaultRuleSchema),
  Type.Object({ preset: oneOf(presetNames) }),
]);

export const FaultSchema = Type.Object({
  id: Type.String(),
  name: Type.Union([Type.String(), Type.Null()]),
  match: FaultMatchSchema,
  effect: EffectSchema,
  on: Type.Boolean({ description: "Whether it acts." }),
  matched: Type.Integer({ description: "Requests that matched." }),
  acted: Type.Integer({ description: "Requests that it acted on." }),
});
