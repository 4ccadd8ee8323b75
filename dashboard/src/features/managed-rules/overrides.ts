import type { CategoryOverride, Overrides, RuleOverride } from "./rule-summary.ts";

/** The changes of an override; undefined leaves a part unchanged. */
export interface OverrideChange {
  readonly action: string | undefined;
  readonly enabled: boolean | undefined;
}

/** Other parts of an override, such as a score threshold, stay. An override that has no part any more is dropped. */
function changed<Override extends RuleOverride | CategoryOverride | Overrides>(
  override: Override,
  { action, enabled }: OverrideChange,
): Override {
  const { action: _action, enabled: _enabled, ...rest } = override;
  return {
    ...rest,
    ...(action !== undefined && { action }),
    ...(enabled !== undefined && { enabled }),
  } as Override;
}

const saysSomething = (override: object): boolean => Object.keys(override).length > 1;

/** The overrides with another one for all rules. */
export function overrideAll(overrides: Overrides, change: OverrideChange): Overrides {
  return changed(overrides, change);
}

/** The overrides with another one for a rule. */
export function overrideRule(overrides: Overrides, id: string, change: OverrideChange): Overrides {
  const rules = overrides.rules ?? [];
  return withRule(overrides, changed(rules.find((rule) => rule.id === id) ?? { id }, change));
}

/** The overrides with another threshold for the rule that judges the sum of scores. */
export function overrideThreshold(
  overrides: Overrides,
  id: string,
  threshold: number | undefined,
): Overrides {
  const found = (overrides.rules ?? []).find((rule) => rule.id === id) ?? { id };
  const { score_threshold: _, ...rest } = found;
  return withRule(overrides, { ...rest, ...(threshold !== undefined && { score_threshold: threshold }) });
}

function withRule(overrides: Overrides, override: RuleOverride): Overrides {
  const rules = overrides.rules ?? [];
  const at = rules.findIndex(({ id }) => id === override.id);
  const next = at === -1 ? [...rules, override] : rules.with(at, override);
  return { ...overrides, rules: next.filter(saysSomething) };
}

/** The overrides with another one for a category; it beats those of the categories before it. */
export function overrideCategory(overrides: Overrides, category: string, change: OverrideChange): Overrides {
  const categories = overrides.categories ?? [];
  const at = categories.findIndex((one) => one.category === category);
  const next = changed(categories[at] ?? { category }, change);
  return { ...overrides, categories: at === -1 ? [...categories, next] : categories.with(at, next) };
}

/** Overrides without empty lists and categories that change nothing; undefined where nothing is left. */
export function toSend({ categories = [], rules = [], ...rest }: Overrides): Overrides | undefined {
  const ofCategories = categories.filter(saysSomething);
  const overrides = {
    ...rest,
    ...(ofCategories.length > 0 && { categories: ofCategories }),
    ...(rules.length > 0 && { rules }),
  };
  return Object.keys(overrides).length > 0 ? overrides : undefined;
}
