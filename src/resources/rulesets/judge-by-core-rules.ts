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
  run: async ({ managed: { coreRules } }, _, { request, level }) => {
    // Whoever asks has them: without them here, nothing was judged.
    if (coreRules === undefined) throw new Error("the Core Rule Set could not be loaded");
    return { level, matches: coreRules.judge(request, level) };
  },
};
