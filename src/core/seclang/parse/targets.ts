import { lowerAscii } from "../../expression/byte-string.ts";
import { SecLangError, type Location } from "./seclang-error.ts";
import { isVariable, type Variable } from "./variables.ts";

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

export interface Targets {
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
