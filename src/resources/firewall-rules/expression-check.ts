import { errorCodes } from "../../core/error-codes.ts";
import { AppError } from "../../core/error.ts";
import { ruleLimits, type ExpressionLimits } from "../../core/expression/limits.ts";
import type { ExpressionContext, ExpressionEngine } from "../../operation/context.ts";
import type { ZoneChangeWork } from "../../operation/zone-unit-of-work.ts";
import type { ZoneRow } from "../../storage/tables.ts";

/** Octets of the longest expression that is kept; a migration takes 4,096 at most. */
const filterExpressionBytesMax = 16 * 1024;

/** Filters of the previous kind may be longer than rules. */
export const filterLimits: ExpressionLimits = { ...ruleLimits, octetsMax: filterExpressionBytesMax };

/** Filters may use what rules of this phase may. */
export const filterPhase = "http_request_firewall_custom";

/** What a change gets that checks expressions: within a transaction no engine can be waited for. */
export interface CheckingWork extends Pick<ZoneChangeWork, "tx" | "zone" | "now" | "context"> {
  readonly engine: ExpressionEngine;
}

/** The `prepare` of operations whose body holds expressions: answers the engine that checks them. */
export async function prepareChecks(
  { context }: { readonly context: ExpressionContext },
  { body }: { readonly body: unknown },
): Promise<ExpressionEngine> {
  const engine = await context.loadExpressionEngine();
  await engine.prepareChecks(body, filterLimits);
  return engine;
}

/** Errors: 400 code 10103 for an expression that no filter of a zone of that plan can have. */
export function refuseInvalidExpression(
  engine: ExpressionEngine,
  { plan }: Pick<ZoneRow, "plan">,
  expression: string,
  pointer: string,
): void {
  const at = { pointer: `${pointer}/expression` };
  if (Buffer.byteLength(expression) > filterExpressionBytesMax) {
    throw new AppError(
      "invalid",
      errorCodes.filters.invalidExpression,
      `The expression exceeds ${filterExpressionBytesMax} bytes`,
      at,
    );
  }
  const issue = engine.issueInFilter(expression, {
    limits: filterLimits,
    plan,
    phase: filterPhase,
  });
  if (issue !== undefined) throw new AppError("invalid", errorCodes.filters.invalidExpression, issue, at);
}
