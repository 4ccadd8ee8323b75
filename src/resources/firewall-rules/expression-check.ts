import { AppError } from "../../core/error.ts";
import type { ZoneRow } from "../../storage/tables.ts";
import type { Context } from "../context.ts";
import type { PlanName } from "../zones/zones.ts";

/** What is wrong with a filter expression of a zone of that plan, as the language words it; undefined for nothing. */
export type FilterCheck = (expression: string, plan: PlanName) => string | undefined;

export interface FilterContext extends Context {
  /** Loads what checks expressions, when it is first needed. */
  readonly loadFilterCheck: () => Promise<FilterCheck>;
}

/** The same within a transaction, where nothing can be waited for. */
export interface CheckingContext extends FilterContext {
  readonly checkFilter: FilterCheck;
}

/** Octets of the longest expression that is kept; a migration takes 4,096 at most (decision 20). */
export const filterExpressionBytesMax = 16 * 1024;

/** Loads the check for a transaction that is about to begin. */
export async function withCheck(context: FilterContext): Promise<CheckingContext> {
  return { ...context, checkFilter: await context.loadFilterCheck() };
}

/** Errors: 400 code 10103 for an expression that no filter of the zone can have. */
export function refuseMistake(
  { checkFilter }: CheckingContext,
  { plan }: Pick<ZoneRow, "plan">,
  expression: string,
  pointer: string,
): void {
  const at = { pointer: `${pointer}/expression` };
  if (Buffer.byteLength(expression) > filterExpressionBytesMax) {
    throw new AppError("invalid", 10103, `The expression exceeds ${filterExpressionBytesMax} bytes`, at);
  }
  const mistake = checkFilter(expression, plan);
  if (mistake !== undefined) throw new AppError("invalid", 10103, mistake, at);
}
