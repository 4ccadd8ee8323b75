import { listRoute, route, type Route } from "../../http/route.ts";
import { checkActivation } from "./activation.ts";
import { CreateZoneBody, EditZoneBody, ListZonesQuery, Zone, ZoneId } from "./schema.ts";
import { createZone, deleteZone, editZone, getZone, listZones, type ZoneContext } from "./zones.ts";

export function zoneRoutes(context: ZoneContext): Route[] {
  return [
    listRoute({
      operation: "listZones",
      summary: "List, search and sort zones",
      path: "/zones",
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
      body: CreateZoneBody,
      result: Zone,
      handle: async ({ caller, body }) => ({ result: await createZone(context, caller, body) }),
    }),
    route({
      operation: "getZone",
      summary: "Get a zone",
      method: "GET",
      path: "/zones/{zone_id}",
      result: Zone,
      handle: async ({ caller, params }) => ({ result: await getZone(context, caller, params.zone_id) }),
    }),
    route({
      operation: "editZone",
      summary: "Change one property of a zone",
      method: "PATCH",
      path: "/zones/{zone_id}",
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
      result: ZoneId,
      handle: async ({ caller, params }) => ({ result: await deleteZone(context, caller, params.zone_id) }),
    }),
    route({
      operation: "checkActivation",
      summary: "Check now whether a zone can become active",
      method: "PUT",
      path: "/zones/{zone_id}/activation_check",
      result: ZoneId,
      handle: async ({ caller, params }) => ({
        result: await checkActivation(context, caller, params.zone_id),
      }),
    }),
  ];
}
