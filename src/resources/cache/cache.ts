import type { Caller } from "../../core/caller.ts";
import type { Context } from "../context.ts";
import { findReachableZone } from "../zones/zones.ts";
import { checkPurge } from "./purge.ts";
import type { PurgeCacheBody } from "./schema.ts";

/**
 * `POST /zones/{id}/purge_cache`: judges the request as the public service does. There is no cache, so nothing
 * else happens.
 * Errors: 400 with the codes of `checkPurge`, 404 code 1001.
 */
export async function purgeCache(
  { db }: Context,
  caller: Caller,
  zoneId: string,
  body: PurgeCacheBody,
): Promise<{ id: string }> {
  checkPurge(body, await findReachableZone(db.read, caller, zoneId));
  return { id: zoneId };
}
