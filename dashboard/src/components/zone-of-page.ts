import { useParams } from "@tanstack/react-router";

import type { Zone } from "../../../src/resources/zones/schema.ts";
import { call } from "../api/call.ts";
import { useApi } from "../api/query.ts";

/** Id of the zone whose page this is, and the zone itself once it is there. */
export function useZoneOfPage(): { readonly zoneId: string; readonly zone: Zone | undefined } {
  const { zoneId } = useParams({ from: "/shell/zones/$zoneId" });
  return { zoneId, zone: useApi(call("getZone", { zone_id: zoneId })).data?.result };
}
