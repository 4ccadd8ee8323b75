import * as fc from "fast-check";

import type { Method } from "../../src/api/route.ts";
import type { ValidRequest } from "../authorization/requests.ts";
import { byToken } from "../support/harness.ts";
import { mutate, mutations, type Mutation } from "./mutations.ts";
import { anyString, valuesOf, type Schema } from "./values.ts";

/** An operation as the OpenAPI document describes it. */
export interface Operation {
  readonly operationId: string;
  readonly method: Method;
  readonly path: string;
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[];
  readonly body: Schema | undefined;
}

/** Chooses an id that an answer has named, whatever the number of those. */
interface KnownId {
  readonly known: number;
}

/** The difference of a request from one that is in order. */
interface Deviation {
  /** Undefined leaves the body as it is. */
  readonly body:
    | { readonly kind: "valid"; readonly value: unknown }
    | { readonly kind: "mutated"; readonly mutations: readonly Mutation[] }
    | {
        readonly kind: "generated and mutated";
        readonly value: unknown;
        readonly mutations: readonly Mutation[];
      }
    | { readonly kind: "text"; readonly text: string }
    | undefined;
  readonly query: readonly (readonly [name: string, value: string])[];
  /** Takes the place of one id in the path. */
  readonly id: { readonly place: number; readonly text: string | KnownId } | undefined;
  readonly contentType: string | undefined;
}

/** A request as it is sent. */
export interface FuzzedRequest {
  readonly method: Method;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly rawBody?: string;
}

const brokenTexts = [
  "", " ", "{", "[", "null", "0", "\"", "{}", "[]", "{\"a\":}", "{\"a\":1,\"a\":2}", "{'a':1}", "\ufeff{}", "[1,]", "1e999", "\"\\ud800\"",
  "{\"__proto__\":{\"success\":true}}", "{\"constructor\":{\"prototype\":{}}}", "[".repeat(500), `${"[".repeat(200)}${"]".repeat(200)}`,
]; // prettier-ignore

const contentTypes = [
  "text/plain",
  "application/json; charset=utf-16",
  "multipart/form-data",
  "a",
  "application/xml",
];

/** Stands for an id, and does not make another path of it. */
const anyId = anyString.filter((text) => !["", ".", ".."].includes(text));

function seldom<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.oneof({ arbitrary: fc.constant(undefined), weight: 15 }, { arbitrary, weight: 1 });
}

export function deviationsOf({ parameters, body }: Operation): fc.Arbitrary<Deviation> {
  const named = parameters
    .filter((parameter) => parameter.in === "query")
    .map(({ name, schema }) =>
      fc.oneof(valuesOf(schema), anyString).map((value): readonly [string, string] => [name, String(value)]),
    );
  const unknown = fc.tuple(anyString, anyString);
  const parameter = named.length === 0 ? unknown : fc.oneof(...named, ...named, unknown);
  const values = valuesOf(body ?? {});
  return fc.record({
    body: fc.oneof(
      { arbitrary: fc.constant(undefined), weight: 2 },
      { arbitrary: fc.record({ kind: fc.constant("valid" as const), value: values }), weight: 3 },
      { arbitrary: fc.record({ kind: fc.constant("mutated" as const), mutations }), weight: 4 },
      {
        arbitrary: fc.record({
          kind: fc.constant("generated and mutated" as const),
          value: values,
          mutations,
        }),
        weight: 1,
      },
      {
        arbitrary: fc.record({ kind: fc.constant("text" as const), text: fc.constantFrom(...brokenTexts) }),
        weight: 1,
      },
    ),
    query: fc.oneof(
      { arbitrary: fc.constant([]), weight: named.length === 0 ? 10 : 1 },
      { arbitrary: fc.array(parameter, { minLength: 1, maxLength: 4 }), weight: 2 },
      {
        arbitrary: fc.tuple(parameter, parameter).map(([one, [, other]]) => [one, [one[0], other] as const]),
        weight: 1,
      },
    ),
    id: fc.oneof(
      { arbitrary: fc.constant(undefined), weight: 15 },
      { arbitrary: fc.record({ place: fc.nat(), text: anyId }), weight: 1 },
      { arbitrary: fc.record({ place: fc.nat(), text: fc.record({ known: fc.nat() }) }), weight: 2 },
    ),
    contentType: seldom(fc.constantFrom(...contentTypes)),
  });
}

/**
 * The request that deviates so from one that is in order; `ids` are those of the zone and the account, `knownIds` of
 * whatever was made before.
 */
export function fuzzedRequest(
  { method, path, body: described }: Operation,
  ids: Readonly<Record<string, string>>,
  { params = {}, body, rawBody, contentType, query }: ValidRequest,
  deviation: Deviation,
  knownIds: readonly string[],
): FuzzedRequest {
  let place = 0;
  const at = deviation.id && deviation.id.place % (path.split("{").length - 1 || 1);
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const isReplaced = place === at;
    place += 1;
    const value = isReplaced
      ? idOf(deviation.id?.text ?? "", knownIds)
      : (params[name] ?? ids[name] ?? "0".repeat(32));
    return encodeURIComponent(value.toWellFormed());
  });
  const parameters = deviation.query.map(
    ([name, value]) =>
      `${encodeURIComponent(name.toWellFormed())}=${encodeURIComponent(value.toWellFormed())}`,
  );
  const search = [...(query === undefined ? [] : [query]), ...parameters].join("&");
  const takesBody = method !== "GET" && (described !== undefined || deviation.body?.kind === "text");
  const sent = takesBody ? bodyText(body, rawBody, deviation.body) : undefined;
  const type = deviation.contentType ?? contentType;
  return {
    method,
    path: search === "" ? filled : `${filled}?${search}`,
    headers: { ...byToken, ...(type !== undefined && { "content-type": type }) },
    ...(sent !== undefined && { rawBody: sent }),
  };
}

function idOf(text: string | KnownId, knownIds: readonly string[]): string {
  if (typeof text === "string") return text;
  return knownIds[text.known % knownIds.length] ?? "0".repeat(32);
}

function bodyText(
  valid: unknown,
  rawValid: string | undefined,
  deviation: Deviation["body"],
): string | undefined {
  switch (deviation?.kind) {
    case undefined:
      return rawValid ?? JSON.stringify(valid);
    case "valid":
      return rawValid ?? JSON.stringify(deviation.value);
    case "mutated":
      return (
        rawValid?.replace("300", JSON.stringify(deviation.mutations)) ??
        JSON.stringify(mutate(valid, deviation.mutations))
      );
    case "generated and mutated":
      return JSON.stringify(mutate(deviation.value, deviation.mutations));
    case "text":
      return deviation.text;
  }
}
