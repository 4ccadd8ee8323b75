import { rulesetLimits } from "./limits.ts";
import type { RuleContext } from "./rule-context.ts";
import { invalidValue, limitExceeded, noRule } from "./ruleset-error.ts";
import { ruleInput, type Rule, type RuleInput } from "./rule.ts";
import { integer, object, oneOfFields, optional, requireObject, text, type Shape } from "./shapes.ts";

/** Ids and times for new rules and versions. */
export interface RuleMaking {
  /** 32 hexadecimal characters. */
  readonly newId: () => string;
  /** Time of the change. */
  readonly now: string;
}

/**
 * Replaces all rules. A rule with the id or reference of an existing one keeps both, and gets a new version if it
 * changed. Errors: 400 with a pointer into the body.
 */
export function replaceRules(
  stored: readonly Rule[],
  body: unknown,
  pointer: string,
  context: RuleContext,
  making: RuleMaking,
): Rule[] {
  if (!Array.isArray(body)) throw invalidValue(pointer, body, "it is not a list");
  if (body.length > rulesetLimits.rulesMax) {
    throw limitExceeded(pointer, "rules in a ruleset", rulesetLimits.rulesMax);
  }
  const inputs = body.map((item, index) => ruleInput(item, `${pointer}/${index}`, context));
  const find = ruleFinder(stored, inputs);
  const rules = inputs.map((input, index) => makeRule(input, find(input, `${pointer}/${index}`), making));
  refuseDuplicates(rules, pointer);
  return rules;
}

/** Adds a rule at its position, by default the last. Errors: 400 with a pointer into the body. */
export function addRule(
  stored: readonly Rule[],
  body: unknown,
  context: RuleContext,
  making: RuleMaking,
): Rule[] {
  if (stored.length >= rulesetLimits.rulesMax) {
    throw limitExceeded("", "rules in a ruleset", rulesetLimits.rulesMax);
  }
  const { position, ...rest } = requireObject(body, "");
  const input = ruleInput(rest, "", context);
  if (input.id !== undefined) throw invalidValue("/id", input.id, "a new rule has no id yet");
  const rule = makeRule(input, undefined, making);
  const rules = movedTo([...stored, rule], stored.length, position, context);
  refuseDuplicateRef(rules, rule);
  return rules;
}

/**
 * Replaces or moves a rule: a body with only a position moves it. Errors: 404 for an unknown rule, 400 with a
 * pointer into the body.
 */
export function redefineRule(
  stored: readonly Rule[],
  id: string,
  body: unknown,
  context: RuleContext,
  making: RuleMaking,
): Rule[] {
  const index = stored.findIndex((rule) => rule.id === id);
  const current = stored[index];
  if (current === undefined) throw noRule();
  const { position, ...rest } = requireObject(body, "");
  const movesOnly = position !== undefined && Object.keys(rest).length === 0;
  const rule = movesOnly ? current : redefine(current, rest, context, making);
  const rules = movedTo(stored.with(index, rule), index, position, context);
  refuseDuplicateRef(rules, rule);
  return rules;
}

/** Errors: 404 for an unknown rule. */
export function removeRule(stored: readonly Rule[], id: string): Rule[] {
  const rules = stored.filter((rule) => rule.id !== id);
  if (rules.length === stored.length) throw noRule();
  return rules;
}

function redefine(current: Rule, body: unknown, context: RuleContext, making: RuleMaking): Rule {
  const input = ruleInput(body, "", context);
  if (input.id !== undefined && input.id !== current.id) {
    throw invalidValue("/id", input.id, "it is not the id of the rule");
  }
  return makeRule(input, current, making);
}

/** Rules with an id are found by it alone, as their reference may move to another rule. */
function ruleFinder(stored: readonly Rule[], inputs: readonly RuleInput[]) {
  const named = new Set(inputs.map(({ id }) => id));
  const byId = new Map(stored.map((rule) => [rule.id, rule]));
  const byRef = new Map(stored.filter(({ id }) => !named.has(id)).map((rule) => [rule.ref, rule]));
  return ({ id, ref }: RuleInput, pointer: string): Rule | undefined => {
    if (id === undefined) return ref === undefined ? undefined : byRef.get(ref);
    const rule = byId.get(id);
    if (rule === undefined) throw invalidValue(`${pointer}/id`, id, "there is no such rule in the ruleset");
    return rule;
  };
}

function makeRule({ ref, definition }: RuleInput, current: Rule | undefined, making: RuleMaking): Rule {
  const id = current?.id ?? making.newId();
  const rule = render(definition, {
    id,
    ref: ref ?? current?.ref ?? id,
    version: String(Number(current?.version ?? "0") + 1),
    last_updated: making.now,
  });
  return current !== undefined && isSameDefinition(rule, current) ? current : rule;
}

/** Keeps the order of fields in answers. */
function render(
  definition: RuleInput["definition"],
  { id, ref, version, last_updated }: Pick<Rule, "id" | "ref" | "version" | "last_updated">,
): Rule {
  const { action, action_parameters, expression, description, enabled, ...others } = definition;
  return {
    id,
    version,
    action,
    ...(action_parameters !== undefined && { action_parameters }),
    expression,
    description,
    last_updated,
    ref,
    enabled,
    ...others,
  };
}

function isSameDefinition(one: Rule, other: Rule): boolean {
  const ofAnyVersion = (rule: Rule): string => JSON.stringify({ ...rule, version: "", last_updated: "" });
  return ofAnyVersion(one) === ofAnyVersion(other);
}

function refuseDuplicates(rules: readonly Rule[], pointer: string): void {
  for (const name of ["id", "ref"] as const) {
    const seen = new Set<string>();
    for (const [index, rule] of rules.entries()) {
      if (seen.has(rule[name])) throw duplicate(`${pointer}/${index}/${name}`, rule[name]);
      seen.add(rule[name]);
    }
  }
}

function refuseDuplicateRef(rules: readonly Rule[], { id, ref }: Rule): void {
  if (rules.some((rule) => rule.ref === ref && rule.id !== id)) throw duplicate("/ref", ref);
}

function duplicate(pointer: string, value: string) {
  return invalidValue(pointer, value, "another rule of the ruleset has it", "duplicate");
}

/** The empty text stands for the first or last place. */
const neighbour = text({ lengthMin: 0, lengthMax: 32 });

/** Moves the rule at `index` before or after another rule, or to an index from 1. */
function movedTo(rules: Rule[], index: number, position: unknown, context: RuleContext): Rule[] {
  if (position === undefined || position === null) return rules;
  const moved = rules[index];
  const others = rules.toSpliced(index, 1);
  const target = positionShape(rules.length)(position, "/position", context);
  const at = (id: string, name: string): number => {
    const found = others.findIndex((rule) => rule.id === id);
    if (found >= 0) return found;
    throw invalidValue(`/position/${name}`, id, "there is no other such rule in the ruleset");
  };
  const { before, after } = target;
  let to = (target.index ?? 1) - 1;
  if (before !== undefined) to = before === "" ? 0 : at(before, "before");
  if (after !== undefined) to = after === "" ? others.length : at(after, "after") + 1;
  return moved === undefined ? rules : others.toSpliced(to, 0, moved);
}

interface Position {
  readonly before?: string;
  readonly after?: string;
  readonly index?: number;
}

function positionShape(length: number): Shape<Position> {
  return oneOfFields<Position>(
    object({
      before: optional(neighbour),
      after: optional(neighbour),
      index: optional(integer(1, length)),
    }),
    ["before", "after", "index"],
  );
}
