import { listsNamedIn } from "../expression/named-lists.ts";
import type { Rule } from "./rule.ts";

/** The names of the lists that a rule refers to, in any of its expressions or by which it redirects. */
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

/** The same of several rules: a name for each rule that refers to it. */
export function listNamesIn(rules: readonly Rule[]): readonly string[] {
  return rules.flatMap((rule) => Array.from(listNamesOf(rule)));
}

const nameInText = /\$([a-zA-Z0-9_]+)/g;

/** Every name of a list that the rules of an unread body may hold, and perhaps others. */
export function listNamesWithin(body: unknown, field = ""): ReadonlySet<string> {
  if (typeof body === "string") {
    const names = body.includes("$") ? Array.from(body.matchAll(nameInText), ([, one = ""]) => one) : [];
    return new Set(field === "name" ? [...names, body] : names);
  }
  if (typeof body !== "object" || body === null) return new Set();
  return new Set(Object.entries(body).flatMap(([key, part]) => Array.from(listNamesWithin(part, key))));
}

const expressionFields = new Set(["expression", "counting_expression", "key"]);

/** The texts of the fields in a value that hold expressions. */
function expressionsWithin(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) =>
    typeof part === "string" ? (expressionFields.has(name) ? [part] : []) : expressionsWithin(part),
  );
}
