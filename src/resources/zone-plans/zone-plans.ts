import type { Caller } from "../../core/caller.ts";
import { AppError } from "../../core/error.ts";
import { toTimestamp } from "../../storage/columns.ts";
import type { ZoneRow, ZoneSubscriptionRow } from "../../storage/tables.ts";
import { recordChanges } from "../../operation/audit.ts";
import type { Context } from "../../operation/context.ts";
import { findZone, lockZone } from "../../operation/scope.ts";
import { changePlan, findPlan, planNames, planOfZone, plans, type PlanName } from "../zones/zones.ts";
import { findRatePlan, toRatePlan } from "./rate-plans.ts";
import type { AvailablePlan, RatePlan, ZoneSubscription, ZoneSubscriptionBody } from "./schema.ts";
import { selectSubscription, upsertSubscription } from "./store.ts";

/** Every plan, as each can be had. Errors: 404 code 1001. */
export async function listAvailablePlans({ db }: Context, zoneId: string): Promise<AvailablePlan[]> {
  const zone = await findZone(db.read, zoneId);
  return planNames.map((plan) => toAvailablePlan(plan, zone));
}

/** Errors: 404 code 1001 for the zone, 404 code 1088 for a plan that does not exist. */
export async function getAvailablePlan(
  { db }: Context,
  zoneId: string,
  planId: string,
): Promise<AvailablePlan> {
  const zone = await findZone(db.read, zoneId);
  const plan = findPlan(planId);
  if (plan === undefined) throw new AppError("not-found", 1088, "Invalid/Missing Zone plan ID");
  return toAvailablePlan(plan, zone);
}

/** Errors: 404 code 1001. */
export async function listAvailableRatePlans({ db }: Context, zoneId: string): Promise<RatePlan[]> {
  await findZone(db.read, zoneId);
  return planNames.map(toRatePlan);
}

/** A zone that never subscribed answers its plan as one. Errors: 404 code 1001. */
export async function getZoneSubscription({ db }: Context, zoneId: string): Promise<ZoneSubscription> {
  const zone = await findZone(db.read, zoneId);
  return toSubscription(zone, await selectSubscription(db.read, zoneId));
}

/**
 * Subscribes a zone to a rate plan, which is then its plan; what is left out stays. Whether there was a
 * subscription before makes no difference: clients do not agree on when there is one.
 * Errors: 400 code 1088 for a rate plan that does not exist, 404 code 1001.
 */
export async function createZoneSubscription(
  context: Context,
  caller: Caller,
  zoneId: string,
  body: ZoneSubscriptionBody,
): Promise<ZoneSubscription> {
  return context.db.transaction(async (tx) => {
    const zone = await lockZone(tx, zoneId);
    const earlier = currentSubscription(zone, await selectSubscription(tx, zoneId));
    const rate_plan = body.rate_plan?.id ?? earlier.rate_plan;
    const plan = findRatePlan(rate_plan) ?? refuseRatePlan();
    const subscription: ZoneSubscriptionRow = {
      zone_id: zoneId,
      rate_plan,
      frequency: body.frequency ?? earlier.frequency,
      started_on: plan === zone.plan ? earlier.started_on : toTimestamp(context.now()),
    };
    await upsertSubscription(tx, subscription);
    const [before, after] = [
      toSubscription(zone, earlier),
      toSubscription(await changePlan(context, tx, zone, plan), subscription),
    ];
    const resource = { type: "zone_subscription", id: zoneId };
    await recordChanges(context, tx, caller, [
      { action: "change_plan", owner: { zone }, resource, before, after },
    ]);
    return after;
  });
}

/** The same as `createZoneSubscription`. */
export async function updateZoneSubscription(
  ...call: Parameters<typeof createZoneSubscription>
): Promise<ZoneSubscription> {
  return createZoneSubscription(...call);
}

function toAvailablePlan(plan: PlanName, zone: ZoneRow): AvailablePlan {
  return { ...planOfZone(plan), frequency: "monthly", is_subscribed: plan === zone.plan };
}

/** What the zone subscribed to, unless its plan was changed past the subscription. */
function currentSubscription(zone: ZoneRow, row: ZoneSubscriptionRow | undefined): ZoneSubscriptionRow {
  if (row !== undefined && findRatePlan(row.rate_plan) === zone.plan) return row;
  return { zone_id: zone.id, rate_plan: zone.plan, frequency: "monthly", started_on: zone.created_on };
}

function toSubscription(zone: ZoneRow, row: ZoneSubscriptionRow | undefined): ZoneSubscription {
  const { rate_plan, frequency, started_on } = currentSubscription(zone, row);
  const { name, price, pageRuleQuota } = plans[zone.plan];
  return {
    id: zone.id,
    rate_plan: {
      id: rate_plan,
      public_name: name,
      currency: "USD",
      scope: "zone",
      sets: [],
      is_contract: zone.plan === "enterprise",
      externally_managed: false,
    },
    component_values: [{ name: "page_rules", value: pageRuleQuota, default: pageRuleQuota, price: 0 }],
    zone: { id: zone.id, name: zone.name },
    state: "Paid",
    price,
    currency: "USD",
    frequency,
    current_period_start: started_on,
    current_period_end: null,
  };
}

function refuseRatePlan(): never {
  throw new AppError("invalid", 1088, "Invalid/Missing Zone plan ID", { pointer: "/rate_plan/id" });
}
