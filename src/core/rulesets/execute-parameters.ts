import {
  described,
  flag,
  integer,
  list,
  object,
  oneOf,
  optional,
  required,
  text,
  uniqueList,
  type Shape,
  type ShapeValue,
} from "./shapes.ts";
import { rulesetLimits } from "./limits.ts";
import { overridingActions, type Action } from "./phases.ts";
import type { NamedRuleset, RuleContext } from "./rule-context.ts";
import { invalidValue } from "./ruleset-error.ts";

export const identifier = text({ pattern: /^[0-9a-f]{32}$/ });

/** The default version in answers. */
const latest = "latest";

const { parametersMax } = rulesetLimits;
const scoreThresholdMax = 1_000_000;

const ofEveryOverride = {
  action: optional(oneOf(overridingActions)),
  enabled: optional(flag),
  sensitivity_level: optional(oneOf(["default", "medium", "low", "eoff"])),
};
const categoryOverride = object({ category: required(text()), ...ofEveryOverride }, 2);
const ruleOverride = object(
  {
    id: required(identifier),
    ...ofEveryOverride,
    score_threshold: optional(integer(0, scoreThresholdMax)),
  },
  2,
);

const overrides = object(
  {
    ...ofEveryOverride,
    // A category may be repeated: the last entry wins.
    categories: optional(list(categoryOverride, parametersMax, 0)),
    rules: optional(uniqueList(ruleOverride, parametersMax, ({ id }) => id)),
  },
  1,
);

const fields = object({
  id: required(identifier),
  version: optional(text({ pattern: /^(?:latest|[0-9]{1,9})?$/, lengthMin: 0 })),
  matched_data: optional(object({ public_key: required(text()) })),
  overrides: optional(overrides),
});

export type Overrides = ShapeValue<typeof overrides>;
export type ExecuteParameters = ShapeValue<typeof fields>;

const readExecuteParameters: Shape<ExecuteParameters> = (value, pointer, context) => {
  const { id, version: sentVersion, ...rest } = fields(value, pointer, context);
  const version = sentVersion || latest;
  requireRuleset(id, `${pointer}/id`, context);
  const ruleset = context.findRuleset(id, version);
  if (ruleset === undefined) {
    throw invalidValue(`${pointer}/version`, version, "there is no such version of the ruleset");
  }
  if (!mayExecute(ruleset, context)) {
    const reason = `a ruleset of kind ${context.kind} cannot execute one of kind ${ruleset.kind}`;
    throw invalidValue(`${pointer}/id`, id, reason);
  }
  if (rest.overrides !== undefined) checkOverrides(rest.overrides, `${pointer}/overrides`, ruleset);
  return { id, version, ...rest };
};

/** The executed ruleset, its version (by default the latest), and overrides. */
export const executeParameters = described(readExecuteParameters, fields.schema);

/** A ruleset of the current phase. Errors: 400 with the pointer. */
export function requireRuleset(id: string, pointer: string, context: RuleContext): NamedRuleset {
  const ruleset = context.findRuleset(id, latest);
  if (ruleset === undefined) throw invalidValue(pointer, id, "there is no such ruleset");
  if (ruleset.phase === context.phase) return ruleset;
  throw invalidValue(pointer, id, `it is a ruleset of the phase ${ruleset.phase}`);
}

function mayExecute(ruleset: NamedRuleset, { kind }: RuleContext): boolean {
  return ruleset.kind === "managed" || (ruleset.kind === "custom" && kind === "root");
}

const paranoiaLevels = [1, 2, 3, 4].map((level) => `paranoia-level-${level}`);

function checkOverrides({ categories = [], rules = [] }: Overrides, pointer: string, ruleset: NamedRuleset) {
  const actsByScore = ruleset.rules.some((rule) => rule.score_threshold !== undefined);
  const known = new Set(ruleset.rules.flatMap((rule) => rule.categories ?? []));
  // A release may have no rule of a level.
  if (actsByScore) for (const category of paranoiaLevels) known.add(category);
  for (const [index, { category }] of categories.entries()) {
    if (known.has(category)) continue;
    const reason = "no rule of the ruleset is of that category";
    throw invalidValue(`${pointer}/categories/${index}/category`, category, reason);
  }
  const rulesById = new Map(ruleset.rules.map((rule) => [rule.id, rule]));
  for (const [index, { id, score_threshold }] of rules.entries()) {
    const place = `${pointer}/rules/${index}`;
    const rule = rulesById.get(id);
    if (rule === undefined) throw invalidValue(`${place}/id`, id, "it is no rule of the ruleset");
    if (score_threshold !== undefined && !actsByScore) {
      throw invalidValue(`${place}/score_threshold`, score_threshold, "the ruleset does not act by a score");
    }
  }
}

type OverridableRule = NamedRuleset["rules"][number] & { readonly enabled: boolean };

interface Level {
  readonly action?: Action | undefined;
  readonly enabled?: boolean | undefined;
}

/**
 * A rule with the overrides of the rule that executes it. Overrides of the rule win over those of its categories,
 * which win over those of the ruleset; of several categories the last wins. Action, status and threshold are
 * independent. The action of scoring rules, and of the rule that acts on the sum, cannot be overridden for the
 * whole ruleset, and rules without a threshold do not get one.
 */
export function overrideRule<R extends OverridableRule>(rule: R, parameters: Overrides | undefined): R {
  if (parameters === undefined) return rule;
  const { categories = [], rules = [] } = parameters;
  const own = rules.find(({ id }) => id === rule.id);
  const isScoring = rule.action === "score" || rule.score_threshold !== undefined;
  const levels: readonly Level[] = [
    own ?? {},
    ...categories.filter(({ category }) => rule.categories?.includes(category)).toReversed(),
    { action: isScoring ? undefined : parameters.action, enabled: parameters.enabled },
  ];
  return {
    ...rule,
    action: levels.find(({ action }) => action !== undefined)?.action ?? rule.action,
    enabled: levels.find(({ enabled }) => enabled !== undefined)?.enabled ?? rule.enabled,
    ...(rule.score_threshold !== undefined && {
      score_threshold: own?.score_threshold ?? rule.score_threshold,
    }),
  };
}
