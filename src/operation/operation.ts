import type { Static, TObject, TSchema } from "@sinclair/typebox";

import type { Caller } from "../core/policy/caller.ts";
import type { Message } from "../api/envelope.ts";
import type { Method, Route, RouteDescription, RouteRequest } from "../api/route.ts";
import { bodyValidator, queryValidator, type ToError } from "../api/validation.ts";
import type { Context } from "./context.ts";

/**
 * One operation as data: what is served, documented and tested. `Needs` is the context that its `run` takes.
 */
export interface Operation<Needs> extends RouteDescription {
  /** The parts of the description that depend on the server's settings. */
  readonly describeIn?: ((context: Needs) => Pick<RouteDescription, "schemes" | "schemesHint">) | undefined;
  readonly handle: (context: Needs, request: RouteRequest) => ReturnType<Route["handle"]>;
}

export function mount<Needs>(operation: Operation<Needs>, context: Needs): Route {
  const { describeIn, ...route } = operation;
  return {
    ...route,
    ...describeIn?.(context),
    handle: (request) => operation.handle(context, request),
  };
}

/** The names in braces of a path. */
export type ParameterNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParameterNames<Rest>
  : never;

type StaticOf<Schema> = Schema extends TSchema ? Static<Schema> : undefined;

export interface Description<
  Name extends string,
  Path extends string,
  Query extends TObject | undefined,
  Body extends TSchema | undefined,
  Result extends TSchema,
> {
  readonly name: Name;
  readonly summary: string;
  /** Below the base path, parameters in braces: `/zones/{zone_id}`. */
  readonly path: Path;
  /** The form of each id in the path that is not 32 hexadecimal characters. */
  readonly ids?: Readonly<Partial<Record<ParameterNames<Path>, RegExp>>>;
  readonly schemes?: Route["schemes"];
  readonly query?: Query;
  readonly body?: Body;
  /** The error for a body that breaks a rule of its schema; 400 code 1003 by default. */
  readonly bodyError?: ToError;
  readonly result: Result;
}

/** The parts of a request, checked against the schemas. */
export interface Input<
  Path extends string,
  Query extends TObject | undefined = undefined,
  Body extends TSchema | undefined = undefined,
> {
  readonly params: Readonly<Record<ParameterNames<Path>, string>>;
  readonly query: StaticOf<Query>;
  readonly body: StaticOf<Body>;
}

/** The work of every `run`. */
export interface Work<Needs extends Context = Context> {
  readonly context: Needs;
  readonly caller: Caller;
  readonly now: Date;
  /** Adds to the `messages` of the answer. */
  readonly addMessage: (message: Message) => void;
}

/** Creates the function that checks the query and the body of a request. Errors: 400 with a pointer. */
export function inputReader<
  Path extends string,
  Query extends TObject | undefined,
  Body extends TSchema | undefined,
>(
  {
    query,
    body,
    bodyError,
  }: Pick<Description<string, Path, Query, Body, TSchema>, "query" | "body" | "bodyError">,
  method: Route["method"],
): (request: RouteRequest) => Input<Path, Query, Body> {
  const readQuery = query && queryValidator(query);
  const readBody = body && bodyValidator(body, bodyError);
  // Most clients delete without a body, where one may be sent.
  const absentBody = method === "DELETE" ? {} : undefined;
  return (request) => ({
    params: request.params,
    query: readQuery?.(request.query) as StaticOf<Query>,
    body: readBody?.(request.body ?? absentBody) as StaticOf<Body>,
  });
}

/**
 * The description of an operation; its type holds name, method, path and schemas for clients that are
 * type-checked.
 */
export function describe<
  Name extends string,
  const M extends Method,
  Path extends string,
  Query extends TObject | undefined,
  Body extends TSchema | undefined,
  Result extends TSchema,
>(
  { name, summary, path, ids, schemes, query, body, result }: Description<Name, Path, Query, Body, Result>,
  method: M,
  access: RouteDescription["access"],
) {
  const schemas = { ...(query && { query }), ...(body && { body }), result };
  return {
    operation: name,
    summary,
    method,
    path,
    access,
    ...(ids && { ids }),
    ...(schemes && { schemes }),
    schemas: schemas as Schemas<Query, Body, Result>,
  };
}

type Schemas<Query, Body, Result> = { readonly result: Result } & (Query extends TObject
  ? { readonly query: Query }
  : object) &
  (Body extends TSchema ? { readonly body: Body } : object);
