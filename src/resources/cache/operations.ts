import { IdOnly } from "../../operation/schema.ts";
import type { AsyncDelay, Context } from "../../operation/context.ts";
import { zoneWrite, type ZoneRead } from "../../operation/scope.ts";
import { checkPurge, purgedParts } from "./purge.ts";
import { PurgeCacheBody } from "./schema.ts";

/** DELETE is an older form of POST. */
const methods = [
  { name: "purgeCache", method: "POST", way: "" },
  { name: "purgeCacheByDelete", method: "DELETE", way: " as `POST` does" },
] as const;

/**
 * Validates the request as the public service does and logs it: there is no cache. Errors: as `checkPurge`.
 */
export const cacheOperations = methods.map(({ name, method, way }) =>
  zoneWrite({
    name,
    summary: `Purge the cache of a zone${way}; there is none, so the request is only validated`,
    method,
    path: "/zones/{zone_id}/purge_cache",
    permission: "Cache Purge",
    body: PurgeCacheBody,
    result: IdOnly,
    prepare: ({ context }: ZoneRead<Context & AsyncDelay>) => context.takeTime(),
    run: async ({ zone, audit }, { body }) => {
      checkPurge(body, zone);
      audit({ action: "purge", id: zone.id, metadata: purgedParts(body) });
      return { id: zone.id };
    },
  }),
);
