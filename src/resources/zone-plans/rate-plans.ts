import { findPlan, planNames, plans, type PlanName } from "../zones/zones.ts";
import type { RatePlan } from "./schema.ts";

/**
 * What a subscription may call a plan: names of the API reference, of the older rate plans and of those of partners.
 * Each counts in either case.
 */
const aliases: Readonly<Record<PlanName, readonly string[]>> = {
  free: ["cf_free", "partners_free"],
  pro: ["cf_pro", "cf_pro_20_20", "cf_pro_plus", "pro_plus", "partners_pro"],
  business: ["cf_biz", "partners_biz", "partners_business"],
  enterprise: ["cf_ent", "partners_ent", "partners_enterprise"],
};

/** The plan that a rate plan stands for; ids of plans are accepted too. */
export function findRatePlan(id: string): PlanName | undefined {
  const name = id.toLowerCase();
  return findPlan(name) ?? planNames.find((plan) => aliases[plan].includes(name));
}

/** A rate plan as subscriptions answer it: as it was sent, but for those of partners for Enterprise. */
export function shownRatePlan(id: string): string {
  return ["partners_ent", "partners_enterprise"].includes(id.toLowerCase()) ? "enterprise" : id;
}

/** A plan as the billing service lists it. Nothing is billed: the prices are those of the public service. */
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
