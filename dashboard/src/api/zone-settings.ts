import type { ZoneSetting } from "../../../src/resources/zone-settings/schema.ts";
import { path, type ApiCall } from "./call.ts";

export type { ZoneSetting };

export const listZoneSettings = (zoneId: string): ApiCall<ZoneSetting[]> => ({
  method: "GET",
  path: path`/zones/${zoneId}/settings`,
});

export const editZoneSetting = (zoneId: string, id: string, value: unknown): ApiCall<ZoneSetting> => ({
  method: "PATCH",
  path: path`/zones/${zoneId}/settings/${id}`,
  body: { value },
});
