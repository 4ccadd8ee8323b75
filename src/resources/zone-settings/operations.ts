import { Type } from "@sinclair/typebox";

import { errorCodes } from "../../core/error-codes.ts";
import { AppError } from "../../core/error.ts";
import { zoneRead, zoneWrite, type ZoneWrite } from "../../operation/zone.ts";
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

/** In the order of their names. */
export const listZoneSettings = zoneRead({
  name: "listZoneSettings",
  summary: "List the settings of a zone",
  path: "/zones/{zone_id}/settings",
  permission: "Zone Settings Read",
  result: Type.Array(ZoneSetting),
  run: async ({ db, zone, now }) => toZoneSettings(await settingsOf(db, zone, now)),
});

/**
 * Changes in their order, all or none; answers all settings.
 * Errors: 400 code 1004 without `items`, and those of `editZoneSetting` for the first item that is refused.
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
    if (!items)
      throw new AppError("invalid", errorCodes.zoneSettings.itemsMissing, "Missing 'items'", {
        pointer: "/items",
      });
    const changes = items.map((item, index) => ({ ...item, pointer: `/items/${index}` }));
    return toZoneSettings(await change(work, changes));
  },
});

/** Errors: 400 code 1003 for a setting that does not exist. */
export const getZoneSetting = zoneRead({
  name: "getZoneSetting",
  summary: "Get a setting of a zone",
  path: "/zones/{zone_id}/settings/{setting_id}",
  permission: "Zone Settings Read",
  ids: { setting_id: settingName },
  result: ZoneSetting,
  run: async ({ db, zone, now }, { params: { setting_id: id } }) => {
    const setting = requireSetting(
      id,
      () => new AppError("invalid", errorCodes.zoneSettings.unknown, `Undefined zone setting: ${id}`),
    );
    return toZoneSetting(id, setting, await settingsOf(db, zone, now));
  },
});

/**
 * A value that it has already changes nothing.
 * Errors: 400 code 1006 for a setting that does not exist, 1015 for one that the plan does not let be changed, 1007 for
 * a value that is none or that only a higher plan has; 410 code 10410 for `waf` once the zone has migrated.
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
  { tx, zone, now, audit }: ZoneWrite,
  changes: readonly SettingChange[],
): Promise<SettingsOfZone> {
  const before = await settingsOf(tx, zone, now);
  const after = await applyChanges(tx, before, changes);
  audit(...changedSettings(before, after));
  return after;
}

export const zoneSettingOperations = [
  listZoneSettings,
  editZoneSettings,
  getZoneSetting,
  editZoneSetting,
] as const;
