import { listed, onNewZone, onVisibleZone, onZone } from "../../core/policy/permission.ts";
import { listRoute, route, type Route } from "../../http/route.ts";
import { checkActivation } from "./activation.ts";
import { CreateZoneBody, EditZoneBody, ListZonesQuery, Zone, ZoneId } from "./schema.ts";
import {
  accountOfNewZone,
  createZone,
  deleteZone,
  editZone,
  getZone,
  listZones,
  type ZoneContext,
} from "./zones.ts";

export function zoneRoutes(context: ZoneContext): Route[] {
  return [
    listRoute({
      operation: "listZones",
      summary: "List, search and sort zones",
      path: "/zones",
      permission: listed,
      query: ListZonesQuery,
      result: Zone,
      list: { orderings: ["name", "status", "account.id", "account.name", "plan.id"], perPageMax: 1_000 },
      handle: ({ caller, query, page }) => listZones(context, caller, query, page),
    }),
    route({
      operation: "createZone",
      summary: "Create a zone",
      method: "POST",
      path: "/zones",
      permission: onNewZone("Zone Write", accountOfNewZone),
      body: CreateZoneBody,
      result: Zone,
      handle: async ({ caller, body }) => ({ result: await createZone(context, caller, body) }),
    }),
    route({
      operation: "getZone",
      summary: "Get a zone",
      method: "GET",
      path: "/zones/{zone_id}",
      permission: onVisibleZone,
      result: Zone,
      handle: async ({ caller, params }) => ({ result: await getZone(context, caller, params.zone_id) }),
    }),
    route({
      operation: "editZone",
      summary: "Change one property of a zone",
      method: "PATCH",
      path: "/zones/{zone_id}",
      permission: onZone("Zone Write"),
      body: EditZoneBody,
      result: Zone,
      handle: async ({ caller, params, body }) => ({
        result: await editZone(context, caller, params.zone_id, body),
      }),
    }),
    route({
      operation: "deleteZone",
      summary: "Delete a zone and everything in it",
      method: "DELETE",
      path: "/zones/{zone_id}",
      permission: onZone("Zone Write"),
      result: ZoneId,
      handle: async ({ caller, params }) => ({ result: await deleteZone(context, caller, params.zone_id) }),
    }),
    route({
      operation: "checkActivation",
      summary: "Check now whether a zone can become active",
      method: "PUT",
      path: "/zones/{zone_id}/activation_check",
      permission: onZone("Zone Write"),
      result: ZoneId,
      handle: async ({ caller, params }) => ({
        result: await checkActivation(context, caller, params.zone_id),
      }),
    }),
  ];
}
