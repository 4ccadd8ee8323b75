import { zoneWrite } from "../../operation/zone.ts";
import { checkPurge, purgedParts } from "./purge.ts";
import { PurgeCacheBody, PurgedZone } from "./schema.ts";

/** Older clients send DELETE, which has always meant the same as POST. */
const methods = [
  { name: "purgeCache", method: "POST", way: "" },
  { name: "purgeCacheByDelete", method: "DELETE", way: " as `POST` does" },
] as const;

/**
 * Judges the request as the public service does, and logs it. There is no cache, so nothing else happens.
 * Errors: 400 with the codes of `checkPurge`.
 */
export const cacheOperations = methods.map(({ name, method, way }) =>
  zoneWrite({
    name,
    summary: `Purge the cache of a zone${way}; there is none, so the request is only validated`,
    method,
    path: "/zones/{zone_id}/purge_cache",
    permission: "Cache Purge",
    body: PurgeCacheBody,
    result: PurgedZone,
    run: async ({ zone, audit }, { body }) => {
      checkPurge(body, zone);
      audit({ action: "purge", resource: { type: "zone", id: zone.id }, metadata: purgedParts(body) });
      return { id: zone.id };
    },
  }),
);
