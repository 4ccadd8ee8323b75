import { lowerAscii } from "../../expression/byte-string.ts";
import { SecLangError, type Location } from "./directives.ts";

const names = [
  "ARGS",
  "ARGS_COMBINED_SIZE",
  "ARGS_GET",
  "ARGS_GET_NAMES",
  "ARGS_NAMES",
  "ARGS_POST",
  "ARGS_POST_NAMES",
  "DURATION",
  "FILES",
  "FILES_COMBINED_SIZE",
  "FILES_NAMES",
  "GEO",
  "GLOBAL",
  "IP",
  "MATCHED_VAR",
  "MATCHED_VARS",
  "MATCHED_VARS_NAMES",
  "MATCHED_VAR_NAME",
  "MULTIPART_PART_HEADERS",
  "MULTIPART_STRICT_ERROR",
  "QUERY_STRING",
  "REMOTE_ADDR",
  "REQBODY_ERROR",
  "REQBODY_PROCESSOR",
  "REQUEST_BASENAME",
  "REQUEST_BODY",
  "REQUEST_BODY_LENGTH",
  "REQUEST_COOKIES",
  "REQUEST_COOKIES_NAMES",
  "REQUEST_FILENAME",
  "REQUEST_HEADERS",
  "REQUEST_HEADERS_NAMES",
  "REQUEST_LINE",
  "REQUEST_METHOD",
  "REQUEST_PROTOCOL",
  "REQUEST_URI",
  "REQUEST_URI_RAW",
  "RESPONSE_BODY",
  "RESPONSE_CONTENT_TYPE",
  "RESPONSE_HEADERS",
  "RESPONSE_STATUS",
  "SESSION",
  "TX",
  "UNIQUE_ID",
  "USER",
  "XML",
] as const;

export type Variable = (typeof names)[number];

const known: ReadonlySet<string> = new Set(names);

export function isVariable(name: string): name is Variable {
  return known.has(name);
}

const changing: ReadonlySet<Variable> = new Set([
  "GLOBAL", "IP", "MATCHED_VAR", "MATCHED_VARS", "MATCHED_VARS_NAMES", "MATCHED_VAR_NAME", "SESSION", "TX", "USER",
]); // prettier-ignore

/** Whether a variable is set from the request or the response; others change while rules run. */
export function isFixed(variable: Variable): boolean {
  return !changing.has(variable);
}

/** Selects entries of a collection by name or pattern; all without a selector. */
export type Selector =
  | { readonly kind: "name"; /** In lower case. */ readonly name: string }
  | { readonly kind: "pattern"; readonly pattern: string };

/** A variable, or some of its entries. */
export interface Target {
  readonly variable: Variable;
  readonly selector: Selector | undefined;
}

export interface CountableTarget extends Target {
  /** `&`: the number of entries is inspected instead. */
  readonly isCount: boolean;
}

interface Targets {
  readonly included: readonly CountableTarget[];
  readonly excluded: readonly Target[];
}

const part =
  /\s*([!&]?)\s*(XML(?::[^|]*)?|[A-Za-z_]+(?::(?:'[^']*'|\/(?:[^/\\]|\\[^])*\/|[^|]*))?)\s*(?:\||$)/y;

/** Parses `ARGS|!ARGS:/^x/|&REQUEST_HEADERS:Host`. Throws SecLangError for an unknown variable. */
export function parseTargets(location: Location, text: string): Targets {
  const included: CountableTarget[] = [];
  const excluded: Target[] = [];
  part.lastIndex = 0;
  while (part.lastIndex < text.length) {
    const at = part.lastIndex;
    const [found, sign, name = ""] = part.exec(text) ?? [];
    if (found === undefined) throw new SecLangError(location, `"${text.slice(at)}" is no variable`);
    const target = parseTarget(location, name.trim());
    if (sign === "!") excluded.push(target);
    else included.push({ ...target, isCount: sign === "&" });
  }
  return { included, excluded };
}

/**
 * Parses `ARGS`, `ARGS:name`, `ARGS:/pattern/` or `ARGS:'/pattern/'`. Throws SecLangError for an unknown
 * variable.
 */
export function parseTarget(location: Location, text: string): Target {
  const [, written = "", selector] = /^([A-Za-z_]+)(?::(.*))?$/s.exec(text) ?? [];
  const variable = written.toUpperCase();
  if (!isVariable(variable)) throw new SecLangError(location, `the variable "${text}" is not supported`);
  return { variable, selector: selector === undefined ? undefined : parseSelector(variable, selector) };
}

function parseSelector(variable: Variable, text: string): Selector {
  const name = text.startsWith("'") && text.endsWith("'") ? text.slice(1, -1) : text;
  // XPath: rules use only these two expressions.
  if (variable === "XML") return { kind: "name", name: name.startsWith("//@") ? "//@*" : "/*" };
  return name.length > 1 && name.startsWith("/") && name.endsWith("/")
    ? { kind: "pattern", pattern: name.slice(1, -1) }
    : { kind: "name", name: lowerAscii(name) };
}
