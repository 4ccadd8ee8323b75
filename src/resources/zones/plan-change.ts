import { errorCodes } from "../../core/error-codes.ts";
import { AppError } from "../../core/error.ts";
import { toTimestamp } from "../../storage/columns.ts";
import type { Db, ZoneRow } from "../../storage/tables.ts";
import type { Context } from "../../operation/context.ts";
import type { PlanName } from "./plans.ts";
import { updateZone } from "./store.ts";

/**
 * The one way in which the plan of a zone changes, whatever asked for it; answers the zone as it is then. Nothing else
 * of the zone changes with it. Part of the caller's transaction.
 * Errors: 400 code 1089 while the zone validates the new WAF, which only Enterprise can.
 */
export async function changePlan<Row extends ZoneRow>(
  { now }: Pick<Context, "now">,
  tx: Db,
  zone: Row,
  plan: PlanName,
): Promise<Row> {
  if (plan === zone.plan) return zone;
  if (zone.waf === "validation") {
    throw new AppError(
      "invalid",
      errorCodes.zones.planDuringValidation,
      "The plan cannot be changed while the WAF migration is in validation; complete the migration first",
    );
  }
  const change = { plan, modified_on: toTimestamp(now()) };
  await updateZone(tx, zone.id, change);
  return { ...zone, ...change };
}
