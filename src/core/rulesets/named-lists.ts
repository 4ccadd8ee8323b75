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

const expressionFields = new Set(["expression", "counting_expression", "key"]);

/** The texts of the fields in a value that hold expressions. */
function expressionsWithin(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) =>
    typeof part === "string" ? (expressionFields.has(name) ? [part] : []) : expressionsWithin(part),
  );
}
