import type { CreateZoneBody, EditZoneBody, Zone } from "../../../src/resources/zones/schema.ts";
import { path, type ApiCall } from "./call.ts";

export type { Zone };

export const zoneStatuses = [
  "active",
  "pending",
  "initializing",
  "moved",
] as const satisfies Zone["status"][];

export interface ListZonesQuery {
  readonly name?: string | undefined;
  readonly status?: Zone["status"] | undefined;
  readonly "account.id"?: string | undefined;
  readonly page: number;
  readonly per_page: number;
  readonly order?: string | undefined;
  readonly direction?: string | undefined;
}

export const zonesPath = "/zones";
export const zonePath = (zoneId: string): string => path`/zones/${zoneId}`;

export const listZones = (query: ListZonesQuery): ApiCall<Zone[]> => ({
  method: "GET",
  path: zonesPath,
  query: { ...query },
});

export const zoneOf = (zoneId: string): ApiCall<Zone> => ({ method: "GET", path: zonePath(zoneId) });

export const createZone = (body: CreateZoneBody): ApiCall<Zone> => ({
  method: "POST",
  path: zonesPath,
  body,
});

export const editZone = (zoneId: string, body: EditZoneBody): ApiCall<Zone> => ({
  method: "PATCH",
  path: zonePath(zoneId),
  body,
});

export const deleteZone = (zoneId: string): ApiCall<{ id: string }> => ({
  method: "DELETE",
  path: zonePath(zoneId),
});

/** Who has to do what before the zone is served; null where it is. */
export const activationOf = (zoneId: string): ApiCall<{ readonly waits_for: string | null }> => ({
  method: "GET",
  path: path`/zones/${zoneId}/activation_check`,
});

export const checkActivation = (zoneId: string): ApiCall<{ id: string }> => ({
  method: "PUT",
  path: path`/zones/${zoneId}/activation_check`,
});
