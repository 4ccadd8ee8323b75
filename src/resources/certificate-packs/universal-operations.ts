import { zoneRead, zoneWrite, type ZoneWrite } from "../../operation/zone.ts";
import { toFlag } from "../../storage/columns.ts";
import { putRow } from "../../storage/rows.ts";
import { addUniversalPack, deletePack, type CertificatePackContext } from "./certificate-packs.ts";
import { EditUniversalSettingsBody, UniversalSettings } from "./schema.ts";
import { isUniversalEnabled, selectPacksOfZone } from "./store.ts";

const path = "/zones/{zone_id}/ssl/universal/settings";

export const getUniversalSettings = zoneRead({
  name: "getUniversalSettings",
  summary: "Get whether a zone has a universal certificate pack",
  path,
  permission: "SSL and Certificates Read",
  result: UniversalSettings,
  run: async ({ db, zone }) => ({ enabled: await isUniversalEnabled(db, zone.id) }),
});

/**
 * Turning it off deletes the universal pack with its certificates and their keys, and the next activation
 * adds none. Turning it on adds one to an active zone; its certificates are issued afterwards.
 */
export const editUniversalSettings = zoneWrite({
  name: "editUniversalSettings",
  summary: "Turn the universal certificate pack of a zone on or off",
  method: "PATCH",
  path,
  permission: "SSL and Certificates Write",
  body: EditUniversalSettingsBody,
  result: UniversalSettings,
  run: async (work: ZoneWrite<CertificatePackContext>, { body }) => {
    const { tx, zone, context, audit, afterCommit } = work;
    const before = { enabled: await isUniversalEnabled(tx, zone.id) };
    const after = { enabled: body.enabled ?? before.enabled };
    if (after.enabled === before.enabled) return before;
    await putRow(tx, "universal_settings", { zone_id: zone.id, enabled: toFlag(after.enabled) });
    audit({ action: "universal_ssl_edit", id: zone.id, before, after });
    if (after.enabled) {
      if (zone.status === "active") await addUniversalPack(context, tx, zone);
      afterCommit(context.wakeIssuance);
      return after;
    }
    const packs = await selectPacksOfZone(tx, zone.id);
    for (const found of packs.filter(({ pack }) => pack.type === "universal")) await deletePack(work, found);
    return after;
  },
});
