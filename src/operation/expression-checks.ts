import { ruleLimits, type ExpressionLimits } from "../core/expression/limits.ts";
import type { ExpressionContext, ExpressionEngine } from "./context.ts";

/**
 * The `prepare` of operations whose body holds expressions: loads the engine that checks them, as a
 * transaction cannot wait for that, and compiles their regular expressions.
 */
export function prepareChecks(limits: ExpressionLimits = ruleLimits) {
  return async (
    { context }: { readonly context: ExpressionContext },
    { body }: { readonly body: unknown },
  ): Promise<ExpressionEngine> => {
    const engine = await context.loadExpressionEngine();
    await engine.prepareChecks(body, limits);
    return engine;
  };
}
