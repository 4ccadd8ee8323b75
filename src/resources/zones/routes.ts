import { onNewZone } from "../../core/policy/permission.ts";
import { route, type Route } from "../../http/route.ts";
import { CreateZoneBody, Zone } from "./schema.ts";
import { accountOfNewZone, createZone, type ZoneContext } from "./zones.ts";

export function zoneRoutes(context: ZoneContext): Route[] {
  return [
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
  ];
}
