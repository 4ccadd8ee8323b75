import { findPlan, planNames, plans, type PlanName } from "../zones/zones.ts";
import type { RatePlan } from "./schema.ts";

/** Names of plans in subscriptions, in any case: current ones, older ones and those of partners. */
const aliases: Readonly<Record<PlanName, readonly string[]>> = {
  free: ["cf_free", "partners_free"],
  pro: ["cf_pro", "cf_pro_20_20", "cf_pro_plus", "pro_plus", "partners_pro"],
  business: ["cf_biz", "partners_biz", "partners_business"],
  enterprise: ["cf_ent", "partners_ent", "partners_enterprise"],
};

/** The plan of a rate plan's name or id. */
export function findRatePlan(id: string): PlanName | undefined {
  const name = id.toLowerCase();
  return findPlan(name) ?? planNames.find((plan) => aliases[plan].includes(name));
}

/** The name in answers: as sent, except for partners' Enterprise plans. */
export function shownRatePlan(id: string): string {
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
