import { useParams } from "@tanstack/react-router";

import { useApi } from "../api/query.ts";
import { zoneOf, type Zone } from "../api/zones.ts";

/** Id of the zone whose page this is, and the zone itself once it is there. */
export function useZoneOfPage(): { readonly zoneId: string; readonly zone: Zone | undefined } {
  const { zoneId } = useParams({ from: "/shell/zones/$zoneId" });
  return { zoneId, zone: useApi(zoneOf(zoneId)).data?.result };
}
