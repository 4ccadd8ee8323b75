import { errorCodes } from "../../core/error-codes.ts";
import { AppError } from "../../core/error.ts";
import { filterLimits } from "../../core/expression/limits.ts";
import type { ExpressionContext, ExpressionEngine } from "../../operation/context.ts";
import type { WriteWork } from "../../operation/scoped.ts";
import type { ZoneChangeWork } from "../../operation/zone-unit-of-work.ts";
import type { ZoneRow } from "../../storage/schema/zones.ts";

/** Filters may use what rules of this phase may. */
export const filterPhase = "http_request_firewall_custom";

/** A unit of work with the engine that checks expressions, which cannot be loaded within a transaction. */
export interface CheckingWork
  extends
    Pick<ZoneChangeWork, "tx" | "zone" | "now" | "context">,
    Partial<Pick<WriteWork<object, ExpressionContext>, "addMessage">> {
  readonly engine: ExpressionEngine;
}

/** Errors: 400 code 10103 for an expression that is invalid on that plan. */
export function refuseInvalidExpression(
  engine: ExpressionEngine,
  { plan }: Pick<ZoneRow, "plan">,
  expression: string,
  pointer: string,
): void {
  const at = { pointer: `${pointer}/expression` };
  if (Buffer.byteLength(expression) > filterLimits.octetsMax) {
    throw new AppError(
      "invalid",
      errorCodes.filters.invalidExpression,
      `The expression exceeds ${filterLimits.octetsMax} bytes`,
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
