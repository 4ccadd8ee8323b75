import { judgeRequest, type Judgement } from "./judge.ts";
import type { RuleRequest, RuleResponse } from "./request.ts";
import type { Phase, Rule } from "./rule.ts";
import type { RuleSet } from "./rule-set.ts";

/** 1 to 4: rules of higher levels detect more attacks and have more false positives. */
export type ParanoiaLevel = 1 | 2 | 3 | 4;

/** The names that the variable has had in the releases of the Core Rule Set. */
const names = ["paranoia_level", "blocking_paranoia_level", "detection_paranoia_level"];
const levels = new Map(
  ([1, 2, 3, 4] as const).map((level) => [level, new Map(names.map((name) => [name, String(level)]))]),
);

/** The rules of `crs-setup.conf` that set the level. */
const settingRules: ReadonlySet<number> = new Set([900_000, 900_001]);

export function judgeAtLevel(
  set: RuleSet,
  request: RuleRequest,
  level: ParanoiaLevel,
  response?: RuleResponse,
): Judgement {
  return judgeRequest(set, request, response, levels.get(level));
}

/** The rule set without the setup rules that would overwrite the level given to `judgeAtLevel`. */
export function leaveLevelToCaller(set: RuleSet): RuleSet {
  const without = (rules: readonly Rule[]): Rule[] => rules.filter(({ id }) => !settingRules.has(id));
  const { phases } = set;
  const of = (phase: Phase): Rule[] => without(phases[phase]);
  return {
    ...set,
    rules: without(set.rules),
    phases: { 1: of(1), 2: of(2), 3: phases[3], 4: phases[4], 5: phases[5] },
  };
}
