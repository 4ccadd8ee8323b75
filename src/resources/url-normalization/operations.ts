import { defaultUrlNormalization } from "../../core/transforms/url-normalization.ts";
import { Nothing } from "../../operation/scoped.ts";
import { zoneRead, zoneWrite } from "../../operation/scope.ts";
import { deleteRows, putRow } from "../../storage/rows.ts";
import { UrlNormalizationSettings } from "./schema.ts";
import { readUrlNormalization } from "./url-normalization.ts";

const path = "/zones/{zone_id}/url_normalization";
const write = "Zone Transform Rules Write";

export const getUrlNormalization = zoneRead({
  name: "getUrlNormalization",
  summary: "Get the URL normalization of a zone",
  path,
  permission: "Zone Transform Rules Read",
  result: UrlNormalizationSettings,
  run: async ({ db, zone }) => readUrlNormalization(db, zone),
});

export const replaceUrlNormalization = zoneWrite({
  name: "replaceUrlNormalization",
  summary: "Set the URL normalization of a zone",
  method: "PUT",
  path,
  permission: write,
  body: UrlNormalizationSettings,
  result: UrlNormalizationSettings,
  run: async ({ tx, zone, audit }, { body: { scope, type } }) => {
    const before = await readUrlNormalization(tx, zone);
    const after = { scope, type };
    await putRow(tx, "url_normalizations", { zone_id: zone.id, ...after });
    audit({ action: "url_normalization_edit", id: zone.id, before, after });
    return after;
  },
});

/** Back to the default. */
export const deleteUrlNormalization = zoneWrite({
  name: "deleteUrlNormalization",
  summary: "Reset the URL normalization of a zone to its default",
  method: "DELETE",
  path,
  permission: write,
  answersNothing: true,
  result: Nothing,
  run: async ({ tx, zone, audit }) => {
    const before = await readUrlNormalization(tx, zone);
    await deleteRows(tx, "url_normalizations", { zone_id: zone.id });
    const after = defaultUrlNormalization;
    audit({ action: "url_normalization_edit", id: zone.id, before, after });
  },
});
