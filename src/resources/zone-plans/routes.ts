import { Type } from "@sinclair/typebox";

import { onZone } from "../../core/policy/permission.ts";
import { route, type Route } from "../../http/route.ts";
import type { Context } from "../../operation/context.ts";
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
      permission: onZone("Zone Read"),
      result: Type.Array(AvailablePlan),
      handle: async ({ params }) => ({
        result: await listAvailablePlans(context, params.zone_id),
      }),
    }),
    route({
      operation: "getAvailablePlan",
      summary: "Get a plan that a zone can have",
      method: "GET",
      path: "/zones/{zone_id}/available_plans/{plan_id}",
      permission: onZone("Zone Read"),
      ids: { plan_id: planIdOrName },
      result: AvailablePlan,
      handle: async ({ params }) => ({
        result: await getAvailablePlan(context, params.zone_id, params.plan_id),
      }),
    }),
    route({
      operation: "listAvailableRatePlans",
      summary: "List the rate plans that a zone can subscribe to",
      method: "GET",
      path: "/zones/{zone_id}/available_rate_plans",
      permission: onZone("Zone Read"),
      result: Type.Array(RatePlan),
      handle: async ({ params }) => ({
        result: await listAvailableRatePlans(context, params.zone_id),
      }),
    }),
    route({
      operation: "getZoneSubscription",
      summary: "Get the subscription of a zone",
      method: "GET",
      path: "/zones/{zone_id}/subscription",
      permission: onZone("Zone Read"),
      result: ZoneSubscription,
      handle: async ({ params }) => ({
        result: await getZoneSubscription(context, params.zone_id),
      }),
    }),
    route({
      operation: "createZoneSubscription",
      summary: "Subscribe a zone to a plan",
      method: "POST",
      path: "/zones/{zone_id}/subscription",
      permission: onZone("Zone Write"),
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
      permission: onZone("Zone Write"),
      body: ZoneSubscriptionBody,
      result: ZoneSubscription,
      handle: async ({ caller, params, body }) => ({
        result: await updateZoneSubscription(context, caller, params.zone_id, body),
      }),
    }),
  ];
}
