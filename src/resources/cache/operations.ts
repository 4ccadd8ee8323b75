import { zoneWrite } from "../../operation/zone.ts";
import { checkPurge, purgedParts } from "./purge.ts";
import { PurgeCacheBody, PurgedZone } from "./schema.ts";

/**
 * Judges the request as the public service does, and logs it. There is no cache, so nothing else happens.
 * Errors: 400 with the codes of `checkPurge`.
 */
export const purgeCache = zoneWrite({
  name: "purgeCache",
  summary: "Purge the cache of a zone; there is none, so the request is only validated",
  method: "POST",
  path: "/zones/{zone_id}/purge_cache",
  permission: "Cache Purge",
  body: PurgeCacheBody,
  result: PurgedZone,
  run: async ({ zone, audit }, { body }) => {
    checkPurge(body, zone);
    audit({ action: "purge", resource: { type: "zone", id: zone.id }, metadata: purgedParts(body) });
    return { id: zone.id };
  },
});

export const cacheOperations = [purgeCache] as const;
