import type { Rule } from "../../../../src/core/rulesets/rule.ts";
import type { RulesetHead } from "../../../../src/core/rulesets/ruleset.ts";
import { counted } from "../../components/counted.ts";

/** The rules of which something is said: proposed ones and saved ones. */
export type SummedUpRule = Pick<
  Rule,
  "action" | "expression" | "description" | "enabled" | "action_parameters"
>;

/** The changes of a rule to the managed ruleset that it executes. */
export interface Overrides {
  readonly action?: string;
  readonly enabled?: boolean;
  readonly sensitivity_level?: string;
  readonly categories?: readonly CategoryOverride[];
  readonly rules?: readonly RuleOverride[];
}

export interface CategoryOverride {
  readonly category: string;
  readonly action?: string;
  readonly enabled?: boolean;
  readonly sensitivity_level?: string;
}

export interface RuleOverride {
  readonly id: string;
  readonly action?: string;
  readonly enabled?: boolean;
  readonly sensitivity_level?: string;
  readonly score_threshold?: number;
}

export interface ExecuteParameters {
  readonly id: string;
  readonly version?: string;
  readonly overrides?: Overrides;
  readonly matched_data?: { readonly public_key: string };
}

export interface SkipParameters {
  readonly ruleset?: "current";
  readonly rulesets?: readonly string[];
  readonly rules?: Readonly<Record<string, readonly string[]>>;
}

/** The ruleset that a rule executes, with its overrides; undefined for a rule that does something else. */
export function executionOf({
  action,
  action_parameters,
}: Pick<Rule, "action" | "action_parameters">): ExecuteParameters | undefined {
  // The server sees to it that the parameters are those of the action.
  return action === "execute" ? (action_parameters as unknown as ExecuteParameters) : undefined;
}

const levels = [1, 2, 3, 4] as const;
const categoryOfLevel = (level: number): string => `paranoia-level-${level}`;

/** The highest paranoia level whose rules are left on; undefined where overrides say nothing of levels. */
export function paranoiaLevelOf({ categories = [] }: Overrides): number | undefined {
  const off = new Set(categories.flatMap(({ category, enabled }) => (enabled === false ? [category] : [])));
  if (!levels.some((level) => off.has(categoryOfLevel(level)))) return undefined;
  return levels.findLast((level) => !off.has(categoryOfLevel(level)));
}

/** The categories that leave the levels up to `level` on, and those of other kinds as they were. */
export function withParanoiaLevel(
  categories: readonly CategoryOverride[],
  level: number | undefined,
): CategoryOverride[] {
  const ofLevels = new Set(levels.map(categoryOfLevel));
  const off = levels.filter((one) => level !== undefined && one > level);
  return [
    ...categories.filter(({ category }) => !ofLevels.has(category)),
    ...off.map((one) => ({ category: categoryOfLevel(one), enabled: false })),
  ];
}

/** The effect of a rule, in words: "Skip all rules behind it", "Execute the Managed Ruleset". */
export function describeRule(rule: SummedUpRule, rulesets: readonly RulesetHead[]): string {
  const { action, action_parameters: parameters = {} } = rule;
  const nameOf = (id: string): string => rulesets.find((one) => one.id === id)?.name ?? id;
  const executed = executionOf(rule);
  if (executed !== undefined) return `Execute ${nameOf(executed.id)}`;
  if (action !== "skip") return actionName(action);
  const { rulesets: skipped = [], rules = {}, ruleset } = parameters as SkipParameters;
  if (ruleset !== undefined) return "Skip all managed rules after it";
  const single = Object.entries(rules).map(([id, ids]) => `${counted(ids.length, "rule")} of ${nameOf(id)}`);
  return `Skip ${[...skipped.map(nameOf), ...single].join(", ")}`;
}

/** The overrides of a rule in words, each on its own. */
export function describeOverrides(rule: SummedUpRule): string[] {
  const overrides = executionOf(rule)?.overrides;
  if (overrides === undefined) return [];
  const { categories = [], rules = [] } = overrides;
  const level = paranoiaLevelOf(overrides);
  const others = categories.filter(({ category }) => !category.startsWith("paranoia-level-"));
  const threshold = rules.find(({ score_threshold }) => score_threshold !== undefined);
  return [
    ...(overrides.enabled === undefined ? [] : [overrides.enabled ? "all rules on" : "all rules off"]),
    ...(overrides.action === undefined ? [] : [`action ${actionName(overrides.action)}`]),
    ...(level === undefined ? [] : [`paranoia level ${level}`]),
    ...(threshold === undefined
      ? []
      : [
          `score threshold ${threshold.score_threshold}`,
          ...(threshold.action === undefined ? [] : [`action ${actionName(threshold.action)}`]),
        ]),
    ...(others.length === 0 ? [] : [counted(others.length, "category", "categories")]),
    ...(rules.length === (threshold === undefined ? 0 : 1)
      ? []
      : [`${counted(rules.length - (threshold === undefined ? 0 : 1), "rule")} changed`]),
  ];
}

/** `managed_challenge` as people write it. */
export function actionName(action: string): string {
  return action.replaceAll("_", " ");
}
