import { AppError } from "../../core/error.ts";
import { ruleLimits, type ExpressionLimits } from "../../core/expression/limits.ts";
import type { ZoneRow } from "../../storage/tables.ts";
import type { ExpressionContext, ExpressionEngine } from "../../operation/context.ts";

/** What operations take within a transaction, where nothing can be waited for. */
export interface CheckingContext extends ExpressionContext {
  readonly engine: ExpressionEngine;
}

/** Octets of the longest expression that is kept; a migration takes 4,096 at most. */
const filterExpressionBytesMax = 16 * 1024;

/** Filters of the previous kind may be longer than rules. */
const limits: ExpressionLimits = { ...ruleLimits, octetsMax: filterExpressionBytesMax };

/** Prepares the checks of a transaction that is about to begin: `items` hold the expressions. */
export async function withCheck(context: ExpressionContext, items: unknown): Promise<CheckingContext> {
  const engine = await context.loadExpressionEngine();
  await engine.prepareChecks(items, limits);
  return { ...context, engine };
}

/** Errors: 400 code 10103 for an expression that no filter of the zone can have. */
export function refuseInvalidExpression(
  { engine }: CheckingContext,
  { plan }: Pick<ZoneRow, "plan">,
  expression: string,
  pointer: string,
): void {
  const at = { pointer: `${pointer}/expression` };
  if (Buffer.byteLength(expression) > filterExpressionBytesMax) {
    throw new AppError("invalid", 10103, `The expression exceeds ${filterExpressionBytesMax} bytes`, at);
  }
  const issue = engine.issueInFilter(expression, { limits, plan, phase: "http_request_firewall_custom" });
  if (issue !== undefined) throw new AppError("invalid", 10103, issue, at);
}
