import type { Rule } from "../../../../src/core/rulesets/rule.ts";
import { describeOverrides } from "../managed-rules/rule-summary.ts";
import { knownAs, labelOf } from "./parameters/labels.ts";

/** An action as people read it: "Managed challenge". */
export const actionName = (action: string): string => labelOf(action);

const shownMax = 6;

/** The parameters and the limit of a rule, each in a few words. */
export function describeParameters(rule: Rule): string[] {
  const { action, action_parameters: parameters = {}, ratelimit } = rule;
  if (action === "execute") return describeOverrides(rule);
  // Texts of other actions are what somebody typed.
  const textOf = action === "skip" ? knownAs : (value: string): string => value;
  const said = [
    ...flatten(parameters, textOf),
    ...(ratelimit === undefined ? [] : [describeLimit(ratelimit)]),
  ];
  return said.length > shownMax ? [...said.slice(0, shownMax), `${said.length - shownMax} more`] : said;
}

function describeLimit(limit: NonNullable<Rule["ratelimit"]>): string {
  const { characteristics, period, requests_per_period: requests, score_per_period: score } = limit;
  const most = requests === undefined ? `a score of ${score}` : `${requests} requests`;
  return `${most} in ${period} s, counted by: ${characteristics.map(knownAs).join(", ")}`;
}

/** `{ edge_ttl: { mode: "bypass" } }` becomes "edge ttl mode: bypass". */
function flatten(value: unknown, textOf: (value: string) => string, path: readonly string[] = []): string[] {
  if (Array.isArray(value) && value.every((one) => typeof one !== "object"))
    return [`${nameOf(path)}: ${value.map((one) => textOf(String(one))).join(", ")}`];
  if (typeof value === "object" && value !== null)
    return Object.entries(value).flatMap(([name, one]) =>
      flatten(one, textOf, Array.isArray(value) ? path : [...path, name]),
    );
  return [`${nameOf(path)}: ${typeof value === "boolean" ? (value ? "on" : "off") : textOf(String(value))}`];
}

const unsaid = new Set(["from_value", "from_list", "value", "expression"]);

function nameOf(path: readonly string[]): string {
  return path
    .filter((name) => !unsaid.has(name))
    .map(labelOf)
    .join(" › ");
}
