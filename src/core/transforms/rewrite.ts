import { decodeText, encodeText } from "../expression/byte-string.ts";
import type { RequestContext, Value } from "../expression/context.ts";
import { headerValue, type HeaderChange } from "./request-headers.ts";

/** What a `rewrite` rule may say, in the form in which it is stored. */
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

/** What a rule makes of a request; undefined stays as it is. */
export interface Rewritten {
  readonly path: string | undefined;
  readonly query: string | undefined;
  readonly headers: readonly HeaderChange[];
}

/** Makes the parameters of a `rewrite` rule ready to run. */
export function compileRewrite(
  parameters: object | undefined,
  compileValue: CompileValue,
): (request: RequestContext) => Rewritten {
  const { uri = {}, headers = {} } = (parameters ?? {}) as RewriteParameters;
  const path = compileComputed(uri.path, compileValue);
  const query = compileComputed(uri.query, compileValue);
  const changes = Object.entries(headers).map(([name, change]) => ({
    name,
    operation: change.operation,
    evaluate: compileComputed(change, compileValue),
  }));
  return (request) => ({
    path: asPath(textOf(path(request))),
    query: textOf(query(request)),
    headers: changes.map(({ name, operation, evaluate }) => ({
      name,
      operation,
      value: headerValue(evaluate(request)),
    })),
  });
}

/** The expressions of a `rewrite` rule. */
export function expressionsOf(parameters: object | undefined): string[] {
  const { uri = {}, headers = {} } = (parameters ?? {}) as RewriteParameters;
  return [uri.path, uri.query, ...Object.values(headers)].flatMap((computed) => computed?.expression ?? []);
}

/** What several rules of one phase make of a request together: the last path and query, and all changes of headers. */
export function combine(rewrites: readonly Rewritten[]): Rewritten {
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

/** Every path begins with a slash (RFC 9112 section 3.2.1), whatever a rule makes of it. */
function asPath(text: string | undefined): string | undefined {
  return text === undefined || text.startsWith("/") ? text : `/${text}`;
}

function textOf(value: Value | undefined): string | undefined {
  return typeof value === "string" ? (decodeText(value) ?? value) : undefined;
}
