import { Type } from "@sinclair/typebox";

import { errorCodes } from "../../core/error-codes.ts";
import { notFound } from "../../core/error.ts";
import { zoneRead, zoneWrite, type ZoneWrite } from "../../operation/scope.ts";
import { putRow, selectRow } from "../../storage/rows.ts";
import { toTimestamp } from "../../storage/columns.ts";
import type { ZoneSubscriptionRow } from "../../storage/schema/zones.ts";
import { changePlan, findPlan, planNames } from "../zones/zones.ts";
import {
  findRatePlan,
  toRatePlan,
  currentSubscription,
  refuseRatePlan,
  toAvailablePlan,
  toSubscription,
} from "./zone-plans.ts";
import { AvailablePlan, RatePlan, ZoneSubscription, ZoneSubscriptionBody } from "./schema.ts";

const planIdOrName = new RegExp(`^(?:[0-9a-f]{32}|${planNames.join("|")})$`);

/** Not paginated. */
export const listAvailablePlans = zoneRead({
  name: "listAvailablePlans",
  summary: "List the plans that a zone can have",
  path: "/zones/{zone_id}/available_plans",
  permission: "Zone Read",
  result: Type.Array(AvailablePlan),
  run: async ({ zone }) => planNames.map((plan) => toAvailablePlan(plan, zone)),
});

/** Errors: 404 code 1088 for an unknown plan. */
export const getAvailablePlan = zoneRead({
  name: "getAvailablePlan",
  summary: "Get a plan that a zone can have",
  path: "/zones/{zone_id}/available_plans/{plan_id}",
  permission: "Zone Read",
  ids: { plan_id: planIdOrName },
  result: AvailablePlan,
  run: async ({ zone }, { params }) => {
    const plan = findPlan(params.plan_id);
    if (plan === undefined) throw notFound(errorCodes.zones.unknownPlan, "Invalid/Missing Zone plan ID");
    return toAvailablePlan(plan, zone);
  },
});

export const listAvailableRatePlans = zoneRead({
  name: "listAvailableRatePlans",
  summary: "List the rate plans that a zone can subscribe to",
  path: "/zones/{zone_id}/available_rate_plans",
  permission: "Zone Read",
  result: Type.Array(RatePlan),
  run: async () => planNames.map(toRatePlan),
});

/** A zone that never subscribed shows its plan as a subscription. */
export const getZoneSubscription = zoneRead({
  name: "getZoneSubscription",
  summary: "Get the subscription of a zone",
  path: "/zones/{zone_id}/subscription",
  permission: "Zone Read",
  result: ZoneSubscription,
  run: async ({ db, zone }) =>
    toSubscription(zone, await selectRow(db, "zone_subscriptions", { zone_id: zone.id })),
});

/** Errors: as `subscribe`. */
export const createZoneSubscription = zoneWrite({
  name: "createZoneSubscription",
  summary: "Subscribe a zone to a plan",
  method: "POST",
  path: "/zones/{zone_id}/subscription",
  permission: "Zone Write",
  body: ZoneSubscriptionBody,
  result: ZoneSubscription,
  run: (work, { body }) => subscribe(work, body),
});

/** Errors: as `subscribe`. */
export const updateZoneSubscription = zoneWrite({
  name: "updateZoneSubscription",
  summary: "Change the subscription of a zone",
  method: "PUT",
  path: "/zones/{zone_id}/subscription",
  permission: "Zone Write",
  body: ZoneSubscriptionBody,
  result: ZoneSubscription,
  run: (work, { body }) => subscribe(work, body),
});

/**
 * Subscribes a zone to a rate plan, which becomes its plan; omitted fields keep their values. Creating and
 * updating are the same, as clients disagree on when a subscription exists.
 * Errors: 400 code 1088 for an unknown rate plan.
 */
async function subscribe(
  { tx, zone, context, now, audit }: ZoneWrite,
  body: ZoneSubscriptionBody,
): Promise<ZoneSubscription> {
  const earlier = currentSubscription(zone, await selectRow(tx, "zone_subscriptions", { zone_id: zone.id }));
  const rate_plan = body.rate_plan?.id ?? earlier.rate_plan;
  const plan = findRatePlan(rate_plan) ?? refuseRatePlan();
  const subscription: ZoneSubscriptionRow = {
    zone_id: zone.id,
    rate_plan,
    frequency: sentFrequency(body) ?? earlier.frequency,
    started_on: plan === zone.plan ? earlier.started_on : toTimestamp(now),
  };
  await putRow(tx, "zone_subscriptions", subscription);
  const before = toSubscription(zone, earlier);
  const after = toSubscription(await changePlan(context, tx, zone, plan), subscription);
  audit({ action: "change_plan", id: zone.id, before, after });
  return after;
}

/** `not-applicable` leaves the frequency as it is. */
function sentFrequency({ frequency }: ZoneSubscriptionBody): ZoneSubscriptionRow["frequency"] | undefined {
  return frequency === "not-applicable" ? undefined : (frequency ?? undefined);
}
