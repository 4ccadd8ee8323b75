import { onZone } from "../../core/policy/permission.ts";
import { route, type Route } from "../../http/route.ts";
import type { Context } from "../../operation/context.ts";
import { purgeCache } from "./cache.ts";
import { PurgeCacheBody, PurgedZone } from "./schema.ts";

export function cacheRoutes(context: Context): Route[] {
  return [
    route({
      operation: "purgeCache",
      summary: "Purge the cache of a zone; there is none, so the request is only validated",
      method: "POST",
      path: "/zones/{zone_id}/purge_cache",
      permission: onZone("Cache Purge"),
      body: PurgeCacheBody,
      result: PurgedZone,
      handle: async ({ caller, params, body }) => ({
        result: await purgeCache(context, caller, params.zone_id, body),
      }),
    }),
  ];
}
