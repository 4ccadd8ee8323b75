import { errorCodes } from "../../core/error-codes.ts";
import { invalidRequest } from "../../core/error.ts";
import { updateRow } from "../../storage/rows.ts";
import { toTimestamp } from "../../storage/columns.ts";
import type { Db } from "../../storage/tables.ts";
import type { ZoneRow } from "../../storage/schema/zones.ts";
import type { Context } from "../../operation/context.ts";
import type { PlanName } from "./plans.ts";

/**
 * Changes the plan of a zone in the caller's transaction, for every way to ask for it; nothing else changes. Returns the
 * changed zone. Errors: 400 code 1089 while the zone validates the new WAF, which needs Enterprise.
 */
export async function changePlan<Row extends ZoneRow>(
  { now }: Pick<Context, "now">,
  tx: Db,
  zone: Row,
  plan: PlanName,
): Promise<Row> {
  if (plan === zone.plan) return zone;
  if (zone.waf === "validation") {
    throw invalidRequest(
      errorCodes.zones.planDuringValidation,
      "The plan cannot be changed while the WAF migration is in validation; complete the migration first",
    );
  }
  const change = { plan, modified_on: toTimestamp(now()) };
  await updateRow(tx, "zones", zone.id, change);
  return { ...zone, ...change };
}
