import { createHash } from "node:crypto";

import type { Context } from "../../operation/context.ts";
import type { ZoneContext } from "../zones/zones.ts";
import { nextSerials } from "./store.ts";

/**
 * To be called before a name server serves zones. If the server's edge addresses, name servers or vendor
 * differ from last time, answers differ too: each zone gets its next serial.
 */
export async function noteServerSettings(
  { db, now, settings }: Pick<Context, "db" | "now"> & Pick<ZoneContext, "settings">,
  edgeAddresses: readonly string[],
): Promise<void> {
  const { nameServers, nameServerSets, vendor } = settings;
  const sets = nameServerSets.length === 0 ? [] : [nameServerSets];
  const settings_digest = createHash("sha256")
    .update(JSON.stringify([edgeAddresses, nameServers, vendor, ...sets]))
    .digest("hex");
  const known = await db.read.selectFrom("served_with").selectAll().execute();
  if (known.some((row) => row.settings_digest === settings_digest)) return;
  await db.exclusiveTransaction(async (tx, publication) => {
    const before = await tx.deleteFrom("served_with").executeTakeFirst();
    await tx.insertInto("served_with").values({ settings_digest }).execute();
    if (before.numDeletedRows === 0n) return;
    await nextSerials(tx, now(), undefined);
    publication.anything();
  });
}
