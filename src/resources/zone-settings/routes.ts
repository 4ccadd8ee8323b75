import { Type } from "@sinclair/typebox";

import { onZone } from "../../core/policy/permission.ts";
import { route, type Route } from "../../http/route.ts";
import type { Context } from "../../operation/context.ts";
import { EditZoneSettingBody, EditZoneSettingsBody, ZoneSetting } from "./schema.ts";
import { editZoneSetting, editZoneSettings, getZoneSetting, listZoneSettings } from "./zone-settings.ts";

const settingName = /^[a-z0-9_]{1,64}$/;

export function zoneSettingRoutes(context: Context): Route[] {
  return [
    route({
      operation: "listZoneSettings",
      summary: "List the settings of a zone",
      method: "GET",
      path: "/zones/{zone_id}/settings",
      permission: onZone("Zone Settings Read"),
      result: Type.Array(ZoneSetting),
      handle: async ({ params }) => ({
        result: await listZoneSettings(context, params.zone_id),
      }),
    }),
    route({
      operation: "editZoneSettings",
      summary: "Change settings of a zone, all or none of them",
      method: "PATCH",
      path: "/zones/{zone_id}/settings",
      permission: onZone("Zone Settings Write"),
      body: EditZoneSettingsBody,
      result: Type.Array(ZoneSetting),
      handle: async ({ caller, params, body }) => ({
        result: await editZoneSettings(context, caller, params.zone_id, body),
      }),
    }),
    route({
      operation: "getZoneSetting",
      summary: "Get a setting of a zone",
      method: "GET",
      path: "/zones/{zone_id}/settings/{setting_id}",
      permission: onZone("Zone Settings Read"),
      ids: { setting_id: settingName },
      result: ZoneSetting,
      handle: async ({ params }) => ({
        result: await getZoneSetting(context, params.zone_id, params.setting_id),
      }),
    }),
    route({
      operation: "editZoneSetting",
      summary: "Change a setting of a zone",
      method: "PATCH",
      path: "/zones/{zone_id}/settings/{setting_id}",
      permission: onZone("Zone Settings Write"),
      ids: { setting_id: settingName },
      body: EditZoneSettingBody,
      result: ZoneSetting,
      handle: async ({ caller, params, body }) => ({
        result: await editZoneSetting(context, caller, params.zone_id, params.setting_id, body),
      }),
    }),
  ];
}
