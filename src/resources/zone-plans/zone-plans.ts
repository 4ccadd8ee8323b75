import { errorCodes } from "../../core/error-codes.ts";
import { invalidRequest } from "../../core/error.ts";
import type { ZoneRow, ZoneSubscriptionRow } from "../../storage/schema/zones.ts";
import { planOfZone, plans, shownName, type PlanName } from "../zones/zones.ts";
import { findRatePlan, shownRatePlan } from "./rate-plans.ts";
import type { AvailablePlan, ZoneSubscription } from "./schema.ts";

export function toAvailablePlan(plan: PlanName, zone: ZoneRow): AvailablePlan {
  return { ...planOfZone(plan), frequency: "monthly", is_subscribed: plan === zone.plan };
}

/** The subscription, unless the plan was changed without it. */
export function currentSubscription(
  zone: ZoneRow,
  row: ZoneSubscriptionRow | undefined,
): ZoneSubscriptionRow {
  if (row !== undefined && findRatePlan(row.rate_plan) === zone.plan) return row;
  return { zone_id: zone.id, rate_plan: zone.plan, frequency: "monthly", started_on: zone.created_on };
}

export function toSubscription(zone: ZoneRow, row: ZoneSubscriptionRow | undefined): ZoneSubscription {
  const { rate_plan, frequency, started_on } = currentSubscription(zone, row);
  const { name, price, pageRuleQuota } = plans[zone.plan];
  return {
    id: zone.id,
    rate_plan: {
      id: shownRatePlan(rate_plan),
      public_name: name,
      currency: "USD",
      scope: "zone",
      sets: [],
      is_contract: zone.plan === "enterprise",
      externally_managed: false,
    },
    component_values: [{ name: "page_rules", value: pageRuleQuota, default: pageRuleQuota, price: 0 }],
    zone: { id: zone.id, name: shownName(zone) },
    state: "Paid",
    price,
    currency: "USD",
    frequency: zone.plan === "free" || zone.plan === "enterprise" ? "not-applicable" : frequency,
    current_period_start: started_on,
    current_period_end: null,
  };
}

export function refuseRatePlan(): never {
  throw invalidRequest(errorCodes.zones.unknownPlan, "Invalid/Missing Zone plan ID", "/rate_plan/id");
}
