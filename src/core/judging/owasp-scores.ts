import type { ParanoiaLevel } from "../seclang/evaluate/judge.ts";
import type { CoreMatch } from "./core-rules.ts";
import type { Rule } from "../rulesets/rule.ts";

/** The scores of matching Core Rule Set rules. */
export interface OwaspScores {
  /** Sums of all rules up to paranoia level 1, 2, 3 and 4. */
  readonly byLevel: readonly [number, number, number, number];
  /** Scores of the rules up to level 2, by rule id. */
  readonly byRule: ReadonlyMap<string, number>;
}

/** The scores of a request by the built-in rules, including rules that the zone disables. */
export function owaspScores(rules: readonly Rule[], matches: (rule: Rule) => boolean): OwaspScores {
  const matching = rules.filter((rule) => rule.action === "score" && matches(rule));
  return addUp(
    matching.map((rule) => ({
      ruleId: rule.id,
      level: paranoiaLevelOf(rule),
      score: (rule.action_parameters as { readonly increment: number }).increment,
    })),
  );
}

export function addUp(matches: readonly Pick<CoreMatch, "ruleId" | "level" | "score">[]): OwaspScores {
  const byLevel: [number, number, number, number] = [0, 0, 0, 0];
  const byRule = new Map<string, number>();
  for (const { ruleId, level, score } of matches) {
    for (let index = level - 1; index < byLevel.length; index += 1)
      byLevel[index] = (byLevel[index] ?? 0) + score;
    if (level <= 2 && ruleId !== undefined) byRule.set(ruleId, score);
  }
  return { byLevel, byRule };
}

/** The number of requests that reach the thresholds of the public service. */
export interface ScoreDistribution {
  readonly paranoia_level: number;
  highest: number;
  at_least_25: number;
  at_least_40: number;
  at_least_60: number;
}

export function noScores(paranoia_level: number): ScoreDistribution {
  return { paranoia_level, highest: 0, at_least_25: 0, at_least_40: 0, at_least_60: 0 };
}

export function countScore(distribution: ScoreDistribution | undefined, score: number, requests = 1): void {
  if (distribution === undefined) return;
  distribution.highest = Math.max(distribution.highest, score);
  if (score >= 25) distribution.at_least_25 += requests;
  if (score >= 40) distribution.at_least_40 += requests;
  if (score >= 60) distribution.at_least_60 += requests;
}

/** By its first category. */
export function paranoiaLevelOf({ categories = [] }: Pick<Rule, "categories">): ParanoiaLevel {
  return Number(/^paranoia-level-([1-4])$/.exec(categories[0] ?? "")?.[1] ?? 1) as ParanoiaLevel;
}
