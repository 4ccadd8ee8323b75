import { setImmediate as nextTurn } from "node:timers/promises";

import {
  compileExpression,
  compileValueExpression,
  type Engines,
} from "../core/expression/compile/compile.ts";
import { ExpressionError } from "../core/expression/expression-error.ts";
import { ruleLimits } from "../core/expression/limits.ts";
import { parseExpression, parseValueExpression } from "../core/expression/parse.ts";
import { PatternJudge } from "../core/expression/pattern-judge.ts";
import type { ExpressionEngine } from "../operation/context.ts";

/** The filter language with its engines. It is loaded when the first request needs it, as few do. */
export function createExpressionEngine(engines: Engines): ExpressionEngine {
  const patterns = new PatternJudge(engines.regexes);
  return {
    compileFilter: (source, options) => compileExpression(source, engines, options),
    compileValue: (source, options) => compileValueExpression(source, engines, options),
    issueInFilter: (source, options) => issueOf(() => parseExpression(source, { ...options, patterns })),
    issueInValue: (source, options) => issueOf(() => parseValueExpression(source, { ...options, patterns })),
    prepareChecks: async (body, limits = ruleLimits) => {
      for (const pattern of patterns.unjudgedIn(body, limits)) {
        patterns.judge(pattern);
        await nextTurn();
      }
      // The check itself takes a turn of the event loop.
      await nextTurn();
    },
  };
}

function issueOf(parse: () => unknown): string | undefined {
  try {
    parse();
    return undefined;
  } catch (error) {
    if (error instanceof ExpressionError) return error.message;
    throw error;
  }
}
