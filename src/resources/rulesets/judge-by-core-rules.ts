import type { CoreJudgement } from "../../core/rulesets/core-judge.ts";
import type { ParanoiaLevel } from "../../core/seclang/evaluate/paranoia-level.ts";
import type { RuleRequest } from "../../core/seclang/evaluate/request.ts";
import type { Task } from "../../operation/task.ts";
import type { RulesetContext } from "./levels.ts";

interface Question {
  readonly request: RuleRequest;
  readonly level: ParanoiaLevel;
}

/** What the Core Rule Set finds in a request with a long body. */
export const judgeByCoreRulesTask: Task<RulesetContext, Question, CoreJudgement> = {
  name: "judgeByCoreRules",
  isSmall: () => false,
  isBrief: true,
  run: async ({ managed }, _, { request, level }) => ({
    level,
    matches: managed.coreRules?.judge(request, level) ?? [],
  }),
};
