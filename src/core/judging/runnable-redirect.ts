import { decodeText, encodeText } from "../expression/byte-string.ts";
import { valueOf, type RequestContext } from "../expression/context.ts";
import type { Library } from "./library.ts";
import type { Rule } from "../rulesets/rule.ts";

/** The target of a `redirect` rule for a request. */
export interface FoundTarget {
  readonly status: number;
  readonly location: string;
  /** Whether it comes from a list, not from the rule itself. */
  readonly isListed: boolean;
}

/** The stored parameters of a `redirect` rule. */
interface RedirectParameters {
  readonly from_list?: { readonly name: string; readonly key: string };
  readonly from_value?: {
    readonly status_code?: number;
    readonly target_url: { readonly value?: string; readonly expression?: string };
    readonly preserve_query_string?: boolean;
  };
}

/**
 * Compiles a `redirect` rule. The result is undefined for a request if its list has no entry or its
 * expression no value.
 */
export function compileRedirect(
  { action_parameters }: Rule,
  { redirectFor, compileValue }: Library,
): (request: RequestContext) => FoundTarget | undefined {
  const { from_list, from_value } = (action_parameters ?? {}) as RedirectParameters;
  if (from_list !== undefined) {
    const { name, key } = from_list;
    return (request) => {
      const found = redirectFor(name, textOf(valueOf(request, key)));
      return found && { status: found.redirect.status_code, location: found.location, isListed: true };
    };
  }
  const {
    status_code: status = 301,
    target_url = {},
    preserve_query_string: keepsQuery = false,
  } = from_value ?? {};
  const { value = "", expression } = target_url;
  const evaluate = expression === undefined ? () => encodeText(value) : compileValue(expression).evaluate;
  return (request) => {
    const target = textOf(evaluate(request));
    if (target === "") return undefined;
    const location = keepsQuery
      ? withQuery(target, textOf(valueOf(request, "http.request.uri.query")))
      : target;
    return { status, location, isListed: false };
  };
}

/** The expressions of a `redirect` rule. */
export function redirectExpressionsOf(parameters: object | undefined): string[] {
  const { from_value } = (parameters ?? {}) as RedirectParameters;
  const expression = from_value?.target_url.expression;
  return expression === undefined ? [] : [expression];
}

/** The query of the request replaces that of the target. */
function withQuery(target: string, query: string): string {
  if (query === "") return target;
  const [, start = target, fragment = ""] = /^([^?#]*)(?:\?[^#]*)?(#.*)?$/s.exec(target) ?? [];
  return `${start}?${query}${fragment}`;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? (decodeText(value) ?? value) : "";
}
