import { errorCodes } from "../core/error-codes.ts";
import { fieldsIn, neutralFieldText } from "../core/expression/field-values.ts";
import { ruleLimits, type ExpressionLimits } from "../core/expression/limits.ts";
import type { ExpressionContext, ExpressionEngine } from "./context.ts";

/**
 * Says of each field in expressions that are saved why it is the same for every request. Does nothing where
 * nobody is told.
 */
export function tellNeutralFields(
  addMessage: ((message: { readonly code: number; readonly message: string }) => void) | undefined,
  expressions: Iterable<string>,
): void {
  if (addMessage === undefined) return;
  for (const field of fieldsIn(expressions)) {
    const message = neutralFieldText(field);
    if (message !== undefined) addMessage({ code: errorCodes.rulesets.neutralField, message });
  }
}

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
