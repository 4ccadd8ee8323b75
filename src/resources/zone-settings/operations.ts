import { Type } from "@sinclair/typebox";

import { errorCodes } from "../../core/error-codes.ts";
import { invalidRequest } from "../../core/error.ts";
import { storedTexts } from "../../core/in-force/in-force.ts";
import { settingsInForce } from "../../core/in-force/settings.ts";
import { zoneRead, zoneWrite, type ZoneWrite } from "../../operation/scope.ts";
import { EditZoneSettingBody, EditZoneSettingsBody, ZoneSetting } from "./schema.ts";
import {
  applyChanges,
  changedSettings,
  requireSetting,
  settingsOf,
  toZoneSetting,
  toZoneSettings,
  type SettingChange,
  type SettingsOfZone,
} from "./zone-settings.ts";

const settingName = /^[a-z0-9_]{1,64}$/;

/** By name. A message says of each setting that was set and is stored alone why it is not in force. */
export const listZoneSettings = zoneRead({
  name: "listZoneSettings",
  summary: "List the settings of a zone",
  path: "/zones/{zone_id}/settings",
  permission: "Zone Settings Read",
  result: Type.Array(ZoneSetting),
  run: async ({ db, zone, now, addMessage }) => {
    const settings = await settingsOf(db, zone, now);
    tellStored(addMessage, settings.stored.keys());
    return toZoneSettings(settings);
  },
});

/**
 * Applied in order, all or none; answers all settings, with a message for each changed one that is stored
 * alone.
 * Errors: 400 code 1004 without `items`, and those of `editZoneSetting` for the first invalid item.
 */
export const editZoneSettings = zoneWrite({
  name: "editZoneSettings",
  summary: "Change settings of a zone, all or none of them",
  method: "PATCH",
  path: "/zones/{zone_id}/settings",
  permission: "Zone Settings Write",
  body: EditZoneSettingsBody,
  result: Type.Array(ZoneSetting),
  run: async (work, { body: { items } }) => {
    if (!items) throw invalidRequest(errorCodes.zoneSettings.itemsMissing, "Missing 'items'", "/items");
    const changes = items.map((item, index) => ({ ...item, pointer: `/items/${index}` }));
    return toZoneSettings(await change(work, changes));
  },
});

/** A message as in `listZoneSettings`. Errors: 400 code 1003 for an unknown setting. */
export const getZoneSetting = zoneRead({
  name: "getZoneSetting",
  summary: "Get a setting of a zone",
  path: "/zones/{zone_id}/settings/{setting_id}",
  permission: "Zone Settings Read",
  ids: { setting_id: settingName },
  result: ZoneSetting,
  run: async ({ db, zone, now, addMessage }, { params: { setting_id: id } }) => {
    const setting = requireSetting(id, () =>
      invalidRequest(errorCodes.zoneSettings.unknown, `Undefined zone setting: ${id}`),
    );
    const settings = await settingsOf(db, zone, now);
    if (settings.stored.has(id)) tellStored(addMessage, [id]);
    return toZoneSetting(id, setting, settings);
  },
});

/**
 * An equal value changes nothing. A message says of a setting that is stored alone why it is not in force.
 * Errors: 400 code 1006 for an unknown setting, 1015 for one that the plan cannot change, 1007 for a value
 * that is invalid or needs a higher plan; 410 code 10410 for `waf` after the migration.
 */
export const editZoneSetting = zoneWrite({
  name: "editZoneSetting",
  summary: "Change a setting of a zone",
  method: "PATCH",
  path: "/zones/{zone_id}/settings/{setting_id}",
  permission: "Zone Settings Write",
  ids: { setting_id: settingName },
  body: EditZoneSettingBody,
  result: ZoneSetting,
  run: async (work, { params: { setting_id: id }, body }) => {
    const settings = await change(work, [{ ...body, id, pointer: "" }]);
    return toZoneSetting(id, requireSetting(id), settings);
  },
});

async function change(
  { tx, zone, now, audit, addMessage }: ZoneWrite,
  changes: readonly SettingChange[],
): Promise<SettingsOfZone> {
  const before = await settingsOf(tx, zone, now);
  const after = await applyChanges(tx, before, changes);
  audit(...changedSettings(before, after));
  tellStored(
    addMessage,
    changes.map(({ id }) => id),
  );
  return after;
}

function tellStored(addMessage: ZoneWrite["addMessage"], ids: Iterable<string>): void {
  for (const message of storedTexts(settingsInForce, ids))
    addMessage({ code: errorCodes.zoneSettings.notInForce, message });
}
