import type { Decision } from "../../core/judging/evaluation.ts";
import type { Judged } from "../../core/judging/judge-request.ts";
import type { ResponseError } from "../../core/judging/response-fields.ts";
import type { Stage } from "../../core/rulesets/phases.ts";
import type { RewriteFault } from "../../core/transforms/rewrite.ts";
import {
  customAnswer,
  problemAnswer,
  redirectAnswer,
  retryHeaders,
  type Asked,
  type OwnAnswer,
} from "../errors/block-and-error-pages.ts";
import { OwnAnswerDue, problems, type Problem } from "../errors/problems.ts";
import type { Judging } from "../rules/run-rules.ts";
import type { Exchange, JudgedRequest } from "../request/exchange.ts";
import { applyResponseRules } from "./response-rules.ts";

/** The error page where the Core Rule Set fails. */
export function unjudgedProblem(error: unknown): Problem {
  return error instanceof OwnAnswerDue ? error.problem : problems.unjudged;
}

/**
 * The response of the rule that ended the evaluation, after the response rules: the page of a block, of a rate
 * limit or a challenge, a redirect, or what the rule itself says.
 */
export function ruledAnswer(
  { challenges }: Judging,
  exchange: Exchange,
  {
    request,
    failures,
    limitedUntil,
  }: Pick<Judged, "request" | "failures"> & Partial<Pick<JudgedRequest, "limitedUntil">>,
  decided: Decision,
): OwnAnswer {
  const challenge = challenges.pageOf(exchange, decided);
  if (challenge !== undefined) return challenge;
  const asked = exchange.asked();
  const { error, ...own } = decided.isUnjudged
    ? errorAnswer(unjudgedProblem(failures[0]?.error), asked)
    : decidedAnswer(decided, asked, limitedUntil);
  return { ...own, headers: applyResponseRules(exchange, request, { ...own, error }).headers };
}

/** An error page after the response rules, or what a rule for errors answers instead. */
export function ruledError(exchange: Exchange, problem: Problem): OwnAnswer {
  const { request } = exchange.judged;
  const { error, ...own } = errorAnswer(problem, exchange.asked());
  const { headers, instead } = applyResponseRules(exchange, request, { ...own, error });
  return instead ?? { ...own, headers };
}

/** The stored parameters of a rule with the action `block`. */
interface BlockParameters {
  readonly response?: {
    readonly status_code: number;
    readonly content: string;
    readonly content_type: string;
  };
}

/** A response of the edge, and what it says of its error to response rules. */
interface ErrorAnswer extends OwnAnswer {
  readonly error: ResponseError;
}

function errorAnswer(problem: Problem, asked: Asked): ErrorAnswer {
  const { status, code } = problem;
  const type = code >= 1_000 ? "1xxx" : status >= 500 ? "5xx" : "";
  return { ...problemAnswer(problem, asked), error: { type, code } };
}

/**
 * The response for a visitor where a rule ended the evaluation, other than by a challenge; one of a rate limit says
 * after how many seconds it ends. `limitedUntil` is when, in milliseconds since 1970.
 */
function decidedAnswer(decided: Decision, asked: Asked, limitedUntil: number | undefined): ErrorAnswer {
  const { stage, rule, status, location, rewriteFault } = decided;
  if (rewriteFault !== undefined) return errorAnswer(problemsOfFaults[rewriteFault], asked);
  if (location !== undefined) return { ...redirectAnswer(status, location), error: { type: "", code: 0 } };
  const problem: Problem = { ...(problemsOfStages[stage] ?? problems.blocked), status };
  const isLimited = stage === "http_ratelimit" && limitedUntil !== undefined;
  const limited = isLimited ? { ...problem, retryAfter: secondsUntil(limitedUntil, asked.now) } : problem;
  const type = typesOfStages[stage] ?? "waf";
  const { response } = (rule.action_parameters ?? {}) as BlockParameters;
  if (response === undefined)
    return { ...problemAnswer(limited, asked), error: { type, code: problem.code } };
  const custom = customAnswer(status, response.content_type, response.content);
  const headers = [...custom.headers, ...retryHeaders(limited)];
  return { ...custom, headers, error: { type, code: 0 } };
}

const problemsOfFaults: Readonly<Record<RewriteFault, Problem>> = {
  "invalid path": problems.invalidRewrite,
  "too long": problems.rewriteTooLong,
  "no value": problems.rewriteWithoutValue,
};

function secondsUntil(instantMs: number, now: Date): number {
  return Math.max(1, Math.ceil((instantMs - now.getTime()) / 1_000));
}

const typesOfStages: Readonly<Partial<Record<Stage, ResponseError["type"]>>> = {
  http_ratelimit: "ratelimit",
  ip: "ip_ban",
  ipRange: "ip_ban",
  asn: "ip_ban",
  country: "ip_ban",
  bic: "1xxx",
  hot: "1xxx",
  zoneLockdown: "1xxx",
};

/** The errors of stages that have one of their own. */
const problemsOfStages: Readonly<Partial<Record<Stage, Problem>>> = {
  http_ratelimit: problems.limited,
  ip: problems.bannedAddress,
  ipRange: problems.bannedAddress,
  asn: problems.bannedSystem,
  country: problems.bannedCountry,
  bic: problems.badBrowser,
  hot: problems.hotlinked,
  zoneLockdown: problems.lockedDown,
};
