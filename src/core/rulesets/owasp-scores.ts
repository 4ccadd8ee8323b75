import type { Rule } from "./rule.ts";

/** The scores of matching Core Rule Set rules. */
export interface OwaspScores {
  /** Sums of all rules up to paranoia level 1, 2, 3 and 4. */
  readonly byLevel: readonly [number, number, number, number];
  /** Scores of the rules up to level 2, by rule id. */
  readonly usual: ReadonlyMap<string, number>;
}

/** The scores of a request, including rules that the zone disables. */
export function owaspScores(rules: readonly Rule[], matches: (rule: Rule) => boolean): OwaspScores {
  const byLevel: [number, number, number, number] = [0, 0, 0, 0];
  const usual = new Map<string, number>();
  for (const rule of rules) {
    if (rule.action !== "score" || !matches(rule)) continue;
    const score = (rule.action_parameters as { readonly increment: number }).increment;
    const level = levelOf(rule);
    for (let index = level - 1; index < byLevel.length; index += 1)
      byLevel[index] = (byLevel[index] ?? 0) + score;
    if (level <= 2) usual.set(rule.id, score);
  }
  return { byLevel, usual };
}

function levelOf({ categories = [] }: Rule): number {
  return Number(/^paranoia-level-([1-4])$/.exec(categories[0] ?? "")?.[1] ?? 1);
}
