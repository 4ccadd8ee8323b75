import { toTimestamp } from "../../storage/columns.ts";
import type { Db, ZoneRow } from "../../storage/tables.ts";
import type { Context } from "../context.ts";
import type { PlanName } from "./plans.ts";
import { updateZone } from "./store.ts";

/**
 * The one way in which the plan of a zone changes, whatever asked for it (decision 5); answers the zone as it
 * is then. Nothing else of the zone changes with it. Part of the caller's transaction.
 */
export async function changePlan<Row extends ZoneRow>(
  { now }: Pick<Context, "now">,
  tx: Db,
  zone: Row,
  plan: PlanName,
): Promise<Row> {
  if (plan === zone.plan) return zone;
  const change = { plan, modified_on: toTimestamp(now()) };
  await updateZone(tx, zone.id, change);
  return { ...zone, ...change };
}
