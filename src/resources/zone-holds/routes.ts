import { onZone } from "../../core/policy/permission.ts";
import { route, type Route } from "../../http/route.ts";
import type { Context } from "../../operation/context.ts";
import { CreateZoneHoldQuery, DeleteZoneHoldQuery, EditZoneHoldBody, ZoneHold } from "./schema.ts";
import { createZoneHold, deleteZoneHold, editZoneHold, getZoneHold } from "./zone-holds.ts";

export function zoneHoldRoutes(context: Context): Route[] {
  return [
    route({
      operation: "getZoneHold",
      summary: "Say whether a zone is held",
      method: "GET",
      path: "/zones/{zone_id}/hold",
      permission: onZone("Zone Read"),
      result: ZoneHold,
      handle: async ({ params }) => ({ result: await getZoneHold(context, params.zone_id) }),
    }),
    route({
      operation: "createZoneHold",
      summary: "Hold a zone: no other account can make one of its name",
      method: "POST",
      path: "/zones/{zone_id}/hold",
      permission: onZone("Zone Write"),
      query: CreateZoneHoldQuery,
      result: ZoneHold,
      handle: async ({ caller, params, query }) => ({
        result: await createZoneHold(context, caller, params.zone_id, query),
      }),
    }),
    route({
      operation: "editZoneHold",
      summary: "Change when a zone is held and how much of it",
      method: "PATCH",
      path: "/zones/{zone_id}/hold",
      permission: onZone("Zone Write"),
      body: EditZoneHoldBody,
      result: ZoneHold,
      handle: async ({ caller, params, body }) => ({
        result: await editZoneHold(context, caller, params.zone_id, body),
      }),
    }),
    route({
      operation: "deleteZoneHold",
      summary: "Release a zone, for a time or for good",
      method: "DELETE",
      path: "/zones/{zone_id}/hold",
      permission: onZone("Zone Write"),
      query: DeleteZoneHoldQuery,
      result: ZoneHold,
      handle: async ({ caller, params, query }) => ({
        result: await deleteZoneHold(context, caller, params.zone_id, query),
      }),
    }),
  ];
}
