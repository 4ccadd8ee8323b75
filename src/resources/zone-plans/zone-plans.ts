import { findPlan, planNames, plans, type PlanName, planOfZone, shownName } from "../zones/zones.ts";
import type { RatePlan, AvailablePlan, ZoneSubscription } from "./schema.ts";
import { errorCodes } from "../../core/error-codes.ts";
import { invalidRequest } from "../../core/error.ts";
import type { ZoneRow, ZoneSubscriptionRow } from "../../storage/schema/zones.ts";

/** Names of plans in subscriptions, in any case: current ones, older ones and those of partners. */
const aliases: Readonly<Record<PlanName, readonly string[]>> = {
  free: ["cf_free", "partners_free"],
  pro: ["cf_pro", "cf_pro_20_20", "cf_pro_plus", "pro_plus", "partners_pro"],
  business: ["cf_biz", "partners_biz", "partners_business"],
  enterprise: ["cf_ent", "partners_ent", "partners_enterprise"],
};

export function findRatePlan(id: string): PlanName | undefined {
  const name = id.toLowerCase();
  return findPlan(name) ?? planNames.find((plan) => aliases[plan].includes(name));
}

/** The name in answers: as sent, except for partners' Enterprise plans. */
function shownRatePlan(id: string): string {
  return ["partners_ent", "partners_enterprise"].includes(id.toLowerCase()) ? "enterprise" : id;
}

/** A plan in the form of the billing API, with the public prices; nothing is billed. */
export function toRatePlan(name: PlanName): RatePlan {
  const plan = plans[name];
  return {
    id: name,
    name: plan.name,
    currency: "USD",
    duration: 1,
    frequency: "monthly",
    components: [
      { name: "zones", default: 1, unit_price: plan.price },
      { name: "page_rules", default: plan.pageRuleQuota, unit_price: 0 },
    ],
  };
}

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
