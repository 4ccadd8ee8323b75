import type { AvailablePlan, ZoneSubscription } from "../../../src/resources/zone-plans/schema.ts";
import type { EditZoneHoldBody, ZoneHold } from "../../../src/resources/zone-holds/schema.ts";
import { path, type ApiCall } from "./call.ts";

export type { AvailablePlan, ZoneHold };

export const listAvailablePlans = (zoneId: string): ApiCall<AvailablePlan[]> => ({
  method: "GET",
  path: path`/zones/${zoneId}/available_plans`,
});

export const subscribeZone = (zoneId: string, plan: string): ApiCall<ZoneSubscription> => ({
  method: "PUT",
  path: path`/zones/${zoneId}/subscription`,
  body: { rate_plan: { id: plan } },
});

export const holdPath = (zoneId: string): string => path`/zones/${zoneId}/hold`;

export const zoneHoldOf = (zoneId: string): ApiCall<ZoneHold> => ({ method: "GET", path: holdPath(zoneId) });

export const editZoneHold = (zoneId: string, body: EditZoneHoldBody): ApiCall<ZoneHold> => ({
  method: "PATCH",
  path: holdPath(zoneId),
  body,
});

/** Releases a zone; until a time (RFC 3339), or for good. */
export const releaseZone = (zoneId: string, until: string): ApiCall<ZoneHold> => ({
  method: "DELETE",
  path: holdPath(zoneId),
  query: { hold_after: until },
});
