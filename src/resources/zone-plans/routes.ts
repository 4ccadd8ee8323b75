import { Type } from "@sinclair/typebox";

import { route, type Route } from "../../http/route.ts";
import type { Context } from "../context.ts";
import { planNames } from "../zones/zones.ts";
import { AvailablePlan, RatePlan, ZoneSubscription, ZoneSubscriptionBody } from "./schema.ts";
import {
  createZoneSubscription,
  getAvailablePlan,
  getZoneSubscription,
  listAvailablePlans,
  listAvailableRatePlans,
  updateZoneSubscription,
} from "./zone-plans.ts";

const planIdOrName = new RegExp(`^(?:[0-9a-f]{32}|${planNames.join("|")})$`);

export function zonePlanRoutes(context: Context): Route[] {
  return [
    route({
      operation: "listAvailablePlans",
      summary: "List the plans that a zone can have",
      method: "GET",
      path: "/zones/{zone_id}/available_plans",
      result: Type.Array(AvailablePlan),
      handle: async ({ caller, params }) => ({
        result: await listAvailablePlans(context, caller, params.zone_id),
      }),
    }),
    route({
      operation: "getAvailablePlan",
      summary: "Get a plan that a zone can have",
      method: "GET",
      path: "/zones/{zone_id}/available_plans/{plan_id}",
      ids: { plan_id: planIdOrName },
      result: AvailablePlan,
      handle: async ({ caller, params }) => ({
        result: await getAvailablePlan(context, caller, params.zone_id, params.plan_id),
      }),
    }),
    route({
      operation: "listAvailableRatePlans",
      summary: "List the rate plans that a zone can subscribe to",
      method: "GET",
      path: "/zones/{zone_id}/available_rate_plans",
      result: Type.Array(RatePlan),
      handle: async ({ caller, params }) => ({
        result: await listAvailableRatePlans(context, caller, params.zone_id),
      }),
    }),
    route({
      operation: "getZoneSubscription",
      summary: "Get the subscription of a zone",
      method: "GET",
      path: "/zones/{zone_id}/subscription",
      result: ZoneSubscription,
      handle: async ({ caller, params }) => ({
        result: await getZoneSubscription(context, caller, params.zone_id),
      }),
    }),
    route({
      operation: "createZoneSubscription",
      summary: "Subscribe a zone to a plan",
      method: "POST",
      path: "/zones/{zone_id}/subscription",
      body: ZoneSubscriptionBody,
      result: ZoneSubscription,
      handle: async ({ caller, params, body }) => ({
        result: await createZoneSubscription(context, caller, params.zone_id, body),
      }),
    }),
    route({
      operation: "updateZoneSubscription",
      summary: "Change the subscription of a zone",
      method: "PUT",
      path: "/zones/{zone_id}/subscription",
      body: ZoneSubscriptionBody,
      result: ZoneSubscription,
      handle: async ({ caller, params, body }) => ({
        result: await updateZoneSubscription(context, caller, params.zone_id, body),
      }),
    }),
  ];
}
