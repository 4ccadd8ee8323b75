import type { Decision } from "../core/rulesets/evaluation.ts";
import type { Stage } from "../core/rulesets/phases.ts";
import type { ResponseError } from "../core/rulesets/response-fields.ts";
import {
  customAnswer,
  problemAnswer,
  redirectAnswer,
  type Asked,
  type OwnAnswer,
  type Problem,
} from "./pages.ts";
import { problems } from "./problems.ts";

/** The stored parameters of a rule with the action `block`. */
interface BlockParameters {
  readonly response?: {
    readonly status_code: number;
    readonly content: string;
    readonly content_type: string;
  };
}

/** A response of the edge, and what it says of its error to response rules. */
export interface ErrorAnswer extends OwnAnswer {
  readonly error: ResponseError;
}

/** The page for an error. */
export function errorAnswer(problem: Problem, asked: Asked): ErrorAnswer {
  const { status, code } = problem;
  const type = code >= 1_000 ? "1xxx" : status >= 500 ? "5xx" : "";
  return { ...problemAnswer(problem, asked), error: { type, code } };
}

/** The response for a visitor where a rule ended the evaluation, other than by a challenge. */
export function decidedAnswer(decided: Decision, asked: Asked): ErrorAnswer {
  const { stage, rule, status, location } = decided;
  if (location !== undefined) return { ...redirectAnswer(status, location), error: { type: "", code: 0 } };
  const problem = problemOfStage(decided);
  const type = typesOfStages[stage] ?? "waf";
  const { response } = (rule.action_parameters ?? {}) as BlockParameters;
  if (response !== undefined)
    return { ...customAnswer(status, response.content_type, response.content), error: { type, code: 0 } };
  return { ...problemAnswer({ ...problem, status }, asked), error: { type, code: problem.code } };
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

function problemOfStage({ stage }: Decision): Problem {
  if (stage === "http_ratelimit") return { ...problems.limited, retryAfter: 30 };
  if (stage === "bic") return problems.badBrowser;
  if (stage === "hot") return problems.hotlinked;
  return stage === "zoneLockdown" ? problems.lockedDown : problems.blocked;
}
