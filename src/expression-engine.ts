import { compileExpression, compileValueExpression } from "./core/expression/compile.ts";
import { createContext } from "./core/expression/context.ts";
import type { RegexEngine } from "./core/expression/regex-engine.ts";
import type { ExpressionEngine } from "./resources/context.ts";

/** The filter language with regular expressions. Few requests need it, so that it is loaded with the first of them. */
export function createExpressionEngine(regexes: RegexEngine): ExpressionEngine {
  return {
    compileFilter: (source, options) => compileExpression(source, regexes, options),
    compileValue: (source, options) => compileValueExpression(source, regexes, options),
    createContext,
  };
}
