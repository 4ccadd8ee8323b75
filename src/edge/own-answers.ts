import type { Decision } from "../core/rulesets/evaluation.ts";
import { customAnswer, problemAnswer, redirectAnswer, type OwnAnswer, type Problem } from "./pages.ts";
import { problems } from "./problems.ts";

/** The stored parameters of a rule with the action `block`. */
interface BlockParameters {
  readonly response?: {
    readonly status_code: number;
    readonly content: string;
    readonly content_type: string;
  };
}

/** The response for a visitor where a rule ended the evaluation, other than by a challenge. */
export function decidedAnswer(decided: Decision, asked: Parameters<typeof problemAnswer>[1]): OwnAnswer {
  const { rule, status, location } = decided;
  if (location !== undefined) return redirectAnswer(status, location);
  const { response } = (rule.action_parameters ?? {}) as BlockParameters;
  if (response !== undefined) return customAnswer(status, response.content_type, response.content);
  return problemAnswer({ ...problemOfStage(decided), status }, asked);
}

function problemOfStage({ stage }: Decision): Problem {
  if (stage === "http_ratelimit") return { ...problems.limited, retryAfter: 30 };
  if (stage === "bic") return problems.badBrowser;
  return stage === "zoneLockdown" ? problems.lockedDown : problems.blocked;
}
