import type { CoreJudgement } from "../../core/judging/core-rules.ts";
import type { ParanoiaLevel } from "../../core/seclang/evaluate/judge.ts";
import type { RuleRequest, RuleResponse } from "../../core/seclang/evaluate/request.ts";
import type { OfAccount, Task } from "../../operation/task.ts";
import type { RulesetContext } from "./levels.ts";

interface Question extends OfAccount {
  readonly request: RuleRequest;
  /** Given where the response is judged, not the request. */
  readonly response?: RuleResponse | undefined;
  readonly level: ParanoiaLevel;
}

/** Judges a request or a response with a long body by the Core Rule Set. */
export const judgeByCoreRulesTask: Task<RulesetContext, Question, CoreJudgement> = {
  name: "judgeByCoreRules",
  isSmall: () => false,
  isBrief: true,
  run: async ({ managed: { coreRules } }, _, { request, response, level }) => {
    // The asking thread has a release, so its absence here is an error.
    if (coreRules === undefined) throw new Error("the Core Rule Set could not be loaded");
    const matches =
      response === undefined
        ? coreRules.judge(request, level)
        : coreRules.judgeResponse(request, response, level);
    return { level, matches };
  },
};
