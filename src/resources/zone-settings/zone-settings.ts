import { errorCodes } from "../../core/error-codes.ts";
import { AppError, invalidRequest } from "../../core/error.ts";
import { fromJson, toJson, toTimestamp } from "../../storage/columns.ts";
import type { Db } from "../../storage/tables.ts";
import type { ZoneRow, ZoneSettingRow } from "../../storage/schema/zones.ts";
import type { AuditEntry } from "../../operation/unit-of-work.ts";
import type { Context } from "../../operation/context.ts";
import {
  developmentModeSeconds,
  requirePreviousWaf,
  setDevelopmentMode,
  zoneAnswersChanged,
} from "../zones/zones.ts";
import { settingsInForce } from "../../core/in-force/settings.ts";
import { catalogue, developmentMode } from "../../core/zone-settings/catalogue.ts";
import { putRow, selectRowsOfZones } from "../../storage/rows.ts";
import type { EditZoneSettingBody, ZoneSetting } from "./schema.ts";
import { hasValue, initialValue, isEditable, type Setting } from "../../core/zone-settings/setting.ts";
import { selectSettings } from "./store.ts";

/** The changed settings of zones, by their names; the result finds those of one zone. */
export async function readChangedSettings(
  db: Db,
  zoneIds: readonly string[],
): Promise<(zoneId: string) => Readonly<Record<string, unknown>>> {
  const rowsOf = await selectRowsOfZones(db, "zone_settings", zoneIds, ["setting"]);
  return (zoneId) =>
    Object.fromEntries(rowsOf(zoneId).map(({ setting, value }) => [setting, fromJson(value)]));
}

/**
 * Changes settings in a transaction that has locked the zone, and answers the zone. Errors: as
 * `editZoneSettings`, without pointers.
 */
export async function presetZoneSettings(
  { now }: Pick<Context, "now">,
  tx: Db,
  zone: ZoneRow,
  items: readonly Omit<SettingChange, "pointer">[],
): Promise<ZoneRow> {
  if (items.length === 0) return zone;
  const changes = items.map((item) => ({ ...item, pointer: "" }));
  const { zone: changed } = await applyChanges(tx, await settingsOf(tx, zone, now()), changes);
  return changed;
}

/** The changed settings of a zone at a time. */
export interface SettingsOfZone {
  readonly zone: ZoneRow;
  readonly stored: ReadonlyMap<string, ZoneSettingRow>;
  readonly now: Date;
}

export interface SettingChange extends EditZoneSettingBody {
  readonly id: string;
  /** The place of the change in the body; empty for the whole body. */
  readonly pointer: string;
}

export async function settingsOf(db: Db, zone: ZoneRow, now: Date): Promise<SettingsOfZone> {
  return { zone, stored: await selectSettings(db, zone.id), now };
}

/** Applied in order. Errors: as `editZoneSettings`. */
export async function applyChanges(
  tx: Db,
  before: SettingsOfZone,
  changes: readonly SettingChange[],
): Promise<SettingsOfZone> {
  let settings = before;
  for (const change of changes) settings = await applyChange(tx, settings, change);
  return settings;
}

async function applyChange(tx: Db, settings: SettingsOfZone, change: SettingChange): Promise<SettingsOfZone> {
  const { zone, stored, now } = settings;
  const { id, pointer } = change;
  const setting = requireSetting(id, () => unrecognized(id, pointer));
  if (id === "waf") requirePreviousWaf(zone);
  if (!isEditable(setting, zone.plan)) {
    throw new AppError(
      "invalid",
      errorCodes.zoneSettings.notAllowed,
      `Not allowed to edit setting for ${id}`,
      at(pointer),
    );
  }
  const key = setting.key ?? "value";
  const present = valueOf(id, setting, settings);
  const value = setting.values.parse(change[key] ?? change.value, present);
  if (value === undefined || !hasValue(setting, zone.plan, value)) {
    throw invalidRequest(
      errorCodes.zoneSettings.invalidValue,
      `Invalid value for zone setting ${id}`,
      `${pointer}/${key}`,
    );
  }
  // Turning development mode on again restarts its three hours.
  const isRestart = id === developmentMode && value === "on";
  if (JSON.stringify(value) === JSON.stringify(present) && !isRestart) return settings;

  const row = { zone_id: zone.id, setting: id, value: toJson(value), modified_on: toTimestamp(now) };
  await putRow(tx, "zone_settings", row);
  return {
    zone: await applied(tx, zone, { id, value, now }),
    stored: new Map([...stored, [id, row]]),
    now,
  };
}

/** Applies what a setting changes in the zone itself. */
async function applied(
  tx: Db,
  zone: ZoneRow,
  { id, value, now }: { readonly id: string; readonly value: unknown; readonly now: Date },
): Promise<ZoneRow> {
  if (id === developmentMode) return setDevelopmentMode(tx, zone, value === "on", now);
  return settingsInForce[id]?.place === "dns" ? zoneAnswersChanged(tx, zone, now) : zone;
}

/** Audit log entries, one for each changed setting. */
export function changedSettings(before: SettingsOfZone, after: SettingsOfZone): AuditEntry[] {
  const changed = [...after.stored].filter(([id, row]) => before.stored.get(id) !== row);
  return changed.map(([id]) => ({
    action: "change_setting",
    id,
    before: toZoneSetting(id, requireSetting(id), before),
    after: toZoneSetting(id, requireSetting(id), after),
  }));
}

/** Errors: `unknown`, by default 400 code 1006. */
export function requireSetting(id: string, unknown: () => AppError = () => unrecognized(id, "")): Setting {
  const setting = catalogue.get(id);
  if (setting === undefined) throw unknown();
  return setting;
}

function unrecognized(id: string, pointer: string): AppError {
  return new AppError(
    "invalid",
    errorCodes.zoneSettings.unrecognized,
    `Unrecognized zone setting name: ${id}`,
    at(pointer),
  );
}

/** A single setting is named by the path, several by the body. */
function at(pointer: string): { pointer?: string } {
  return pointer === "" ? {} : { pointer };
}

function valueOf(id: string, setting: Setting, { zone, stored, now }: SettingsOfZone): unknown {
  if (id === developmentMode) {
    return developmentModeSeconds(zone.development_mode_ends_on, now) > 0 ? "on" : "off";
  }
  return valueIn(stored, id, setting, zone);
}

function valueIn(
  stored: SettingsOfZone["stored"],
  id: string,
  setting: Setting,
  { plan }: Pick<ZoneRow, "plan">,
): unknown {
  const row = stored.get(id);
  return row === undefined ? initialValue(setting, plan) : fromJson(row.value);
}

export function toZoneSettings(settings: SettingsOfZone): ZoneSetting[] {
  return [...catalogue].map(([id, setting]) => toZoneSetting(id, setting, settings));
}

export function toZoneSetting(id: string, setting: Setting, settings: SettingsOfZone): ZoneSetting {
  const { zone, stored, now } = settings;
  const value = valueOf(id, setting, settings);
  return {
    id,
    value,
    ...(setting.key && { [setting.key]: value }),
    modified_on: stored.get(id)?.modified_on ?? null,
    ...(id === developmentMode && {
      time_remaining: developmentModeSeconds(zone.development_mode_ends_on, now),
    }),
    // Not after a migration to the new WAF.
    editable: isEditable(setting, zone.plan) && (id !== "waf" || zone.waf !== "new"),
  };
}
