import type { Judged } from "../../core/judging/judge-request.ts";
import type { JudgedVisit } from "../judging/judge-visitor.ts";
import { decidedAnswer, errorAnswer } from "./own-answers.ts";
import type { OwnAnswer } from "../errors/pages.ts";
import type { Problem } from "../errors/problem.ts";
import { problems } from "../errors/problems.ts";
import { applyResponseRules } from "./response-rules.ts";
import { OwnAnswerDue, type Serving } from "../serving.ts";
import { askedOf, type ReadyVisit } from "../request/visited.ts";

/** The error page where the Core Rule Set fails. */
export function unjudgedProblem(error: unknown): Problem {
  return error instanceof OwnAnswerDue ? error.problem : problems.unjudged;
}

/**
 * The response of the rule that ended the evaluation, after the response rules; undefined where none ended
 * it.
 */
export function ruledAnswer(
  serving: Pick<Serving, "now" | "challenges">,
  visited: ReadyVisit,
  judged: Pick<Judged, "decided" | "request" | "failures"> & Partial<Pick<JudgedVisit, "limitedUntil">>,
): OwnAnswer | undefined {
  const { decided, request, failures, limitedUntil } = judged;
  const { visitor } = visited;
  if (decided === undefined) return undefined;
  const challenge = serving.challenges.pageOf(visited, decided);
  if (challenge !== undefined) return challenge;
  const asked = askedOf(serving, visitor, visited);
  const { error, ...own } = decided.isUnjudged
    ? errorAnswer(unjudgedProblem(failures[0]?.error), asked)
    : decidedAnswer(decided, asked, limitedUntil);
  return { ...own, headers: applyResponseRules(visited, request, { ...own, error }).headers };
}

/** An error page after the response rules, or what a rule for errors answers instead. */
export function ruledError(
  serving: Pick<Serving, "now">,
  visited: ReadyVisit,
  { request }: Pick<Judged, "request">,
  problem: Problem,
): OwnAnswer {
  const { error, ...own } = errorAnswer(problem, askedOf(serving, visited.visitor, visited));
  const { headers, instead } = applyResponseRules(visited, request, { ...own, error });
  return instead ?? { ...own, headers };
}
