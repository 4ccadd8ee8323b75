import { decodeText, encodeText } from "../expression/byte-string.ts";
import type { RequestContext, Value } from "../expression/context.ts";
import { headerValue, type HeaderChange } from "./request-headers.ts";

/** The parameters of a `rewrite` rule, as stored. */
interface RewriteParameters {
  readonly uri?: { readonly path?: Computed; readonly query?: Computed };
  readonly headers?: Readonly<Record<string, Computed & Pick<HeaderChange, "operation">>>;
}

interface Computed {
  readonly value?: string;
  readonly expression?: string;
}

type Evaluate = (request: RequestContext) => Value | undefined;
type CompileValue = (expression: string) => { readonly evaluate: Evaluate };

/** The reason why a rule cannot rewrite a request. */
export type RewriteFault = "invalid path" | "too long" | "no value";

/** The changes that a rule makes to a request; undefined parts stay the same. */
export interface Rewritten {
  readonly fault: RewriteFault | undefined;
  readonly path: string | undefined;
  readonly query: string | undefined;
  readonly headers: readonly HeaderChange[];
}

/** Compiles the parameters of a `rewrite` rule. */
export function compileRewrite(
  parameters: object | undefined,
  compileValue: CompileValue,
): (request: RequestContext) => Rewritten {
  const { uri = {}, headers = {} } = (parameters ?? {}) as RewriteParameters;
  const path = uri.path && compileComputed(uri.path, compileValue);
  const query = uri.query && compileComputed(uri.query, compileValue);
  const changes = Object.entries(headers).map(([name, change]) => ({
    name,
    operation: change.operation,
    evaluate: compileComputed(change, compileValue),
  }));
  return (request) => ({
    ...rewrittenUri(partOf(path, request), partOf(query, request)),
    headers: changes.map(({ name, operation, evaluate }) => ({
      name,
      operation,
      value: headerValue(evaluate(request)),
    })),
  });
}

export function expressionsOf(parameters: object | undefined): string[] {
  const { uri = {}, headers = {} } = (parameters ?? {}) as RewriteParameters;
  return [uri.path, uri.query, ...Object.values(headers)].flatMap((computed) => computed?.expression ?? []);
}

/**
 * Combines the changes by several rules of one phase: the last path and query, and all changes of headers.
 */
export function combine(rewrites: readonly Rewritten[]): Omit<Rewritten, "fault"> {
  return {
    path: rewrites.findLast(({ path }) => path !== undefined)?.path,
    query: rewrites.findLast(({ query }) => query !== undefined)?.query,
    headers: rewrites.flatMap(({ headers }) => headers),
  };
}

function compileComputed({ value, expression }: Computed = {}, compileValue: CompileValue): Evaluate {
  if (expression !== undefined) return compileValue(expression).evaluate;
  const text = value === undefined ? undefined : encodeText(value);
  return () => text;
}

/** The path below which the edge itself answers. */
const reservedPath = "/cdn-cgi/";
/** The longest target of a request in characters: a path with its query. */
const uriLengthMax = 16_384;

/** A part of a URI; undefined stays the same, null is an expression without a value for the request. */
type UriPart = string | null | undefined;

function partOf(evaluate: Evaluate | undefined, request: RequestContext): UriPart {
  return evaluate && (textOf(evaluate(request)) ?? null);
}

function rewrittenUri(path: UriPart, query: UriPart): Omit<Rewritten, "headers"> {
  return { fault: faultOf(path, query), path: path ?? undefined, query: query ?? undefined };
}

function faultOf(path: UriPart, query: UriPart): RewriteFault | undefined {
  if (path === null || query === null) return "no value";
  if (path !== undefined && (!path.startsWith("/") || path.startsWith(reservedPath))) return "invalid path";
  return (path ?? "").length + (query ?? "").length > uriLengthMax ? "too long" : undefined;
}

function textOf(value: Value | undefined): string | undefined {
  return typeof value === "string" ? (decodeText(value) ?? value) : undefined;
}
