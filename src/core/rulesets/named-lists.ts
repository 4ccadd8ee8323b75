import { listsNamedIn } from "../expression/named-lists.ts";
import type { Rule } from "./rule.ts";

/** The names of the lists that a rule refers to, in its expressions or as a list of redirects. */
function listNamesOf({
  expression,
  action_parameters,
  ratelimit,
}: Pick<Rule, "expression" | "action_parameters" | "ratelimit">): ReadonlySet<string> {
  const names = new Set<string>();
  for (const source of [
    expression,
    ...expressionsWithin(action_parameters),
    ...expressionsWithin(ratelimit),
  ]) {
    for (const { name } of listsNamedIn(source)) names.add(name);
  }
  const { from_list } = (action_parameters ?? {}) as { readonly from_list?: { readonly name: string } };
  if (from_list !== undefined) names.add(from_list.name);
  return names;
}

/** The names of the lists that several rules refer to, once for each rule. */
export function listNamesIn(rules: readonly Rule[]): readonly string[] {
  return rules.flatMap((rule) => Array.from(listNamesOf(rule)));
}

const nameInText = /\$([a-zA-Z0-9_]+)/g;

/**
 * The names of lists in a body that is not validated yet: all that its rules refer to, and perhaps others.
 */
export function listNamesWithin(body: unknown, field = ""): ReadonlySet<string> {
  if (typeof body === "string") {
    const names = body.includes("$") ? Array.from(body.matchAll(nameInText), ([, one = ""]) => one) : [];
    return new Set(field === "name" ? [...names, body] : names);
  }
  if (typeof body !== "object" || body === null) return new Set();
  return new Set(Object.entries(body).flatMap(([key, part]) => Array.from(listNamesWithin(part, key))));
}

const expressionFields = new Set(["expression", "counting_expression", "key"]);

/** The texts of the fields that hold expressions. */
function expressionsWithin(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) =>
    typeof part === "string" ? (expressionFields.has(name) ? [part] : []) : expressionsWithin(part),
  );
}
