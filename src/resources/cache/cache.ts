import type { Caller } from "../../core/caller.ts";
import { recordChanges } from "../../operation/audit.ts";
import type { Context } from "../../operation/context.ts";
import { findZone } from "../../operation/scope.ts";
import { checkPurge, purgedParts } from "./purge.ts";
import type { PurgeCacheBody } from "./schema.ts";

/**
 * `POST /zones/{id}/purge_cache`: judges the request as the public service does, and logs it. There is no cache, so
 * nothing else happens.
 * Errors: 400 with the codes of `checkPurge`, 404 code 1001.
 */
export async function purgeCache(
  context: Context,
  caller: Caller,
  zoneId: string,
  body: PurgeCacheBody,
): Promise<{ id: string }> {
  const zone = await findZone(context.db.read, zoneId);
  checkPurge(body, zone);
  await context.db.transaction((tx) =>
    recordChanges(context, tx, caller, [
      {
        action: "purge",
        owner: { zone },
        resource: { type: "zone", id: zoneId },
        metadata: purgedParts(body),
      },
    ]),
  );
  return { id: zoneId };
}
