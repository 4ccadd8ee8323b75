import { ExpressionError } from "./core/expression/expression-error.ts";
import { ruleLimits, type ExpressionLimits } from "./core/expression/limits.ts";
import { parseExpression } from "./core/expression/parse.ts";
import { Patterns, type RegexEngine } from "./core/expression/regex-engine.ts";
import { filterExpressionBytesMax, type FilterCheck } from "./resources/firewall-rules/expression-check.ts";

/** Filters of the previous version may be longer than rules (decision 20). */
const filterLimits: ExpressionLimits = { ...ruleLimits, octetsMax: filterExpressionBytesMax };

/** Checks the expressions of filters; what an expression's patterns hold is freed at once. */
export function createFilterCheck(engine: RegexEngine): FilterCheck {
  return (expression, plan) => {
    const patterns = new Patterns(engine);
    try {
      parseExpression(expression, {
        limits: filterLimits,
        patterns,
        plan,
        phase: "http_request_firewall_custom",
      });
      return undefined;
    } catch (error) {
      if (error instanceof ExpressionError) return error.message;
      throw error;
    } finally {
      patterns.free();
    }
  };
}
