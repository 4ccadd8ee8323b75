import type { Caller } from "../../core/caller.ts";
import { AppError } from "../../core/error.ts";
import { fromJson, toJson, toTimestamp } from "../../storage/columns.ts";
import type { Db, ZoneRow, ZoneSettingRow } from "../../storage/tables.ts";
import { recordChanges, type Change as AuditedChange } from "../../operation/audit.ts";
import type { Context } from "../../operation/context.ts";
import { findZone, lockZone } from "../../operation/scope.ts";
import { developmentModeSeconds, requirePreviousWaf, setDevelopmentMode } from "../zones/zones.ts";
import { catalogue, developmentMode } from "./catalogue.ts";
import type { EditZoneSettingBody, EditZoneSettingsBody, ZoneSetting } from "./schema.ts";
import { hasValue, initialValue, isEditable, type Setting } from "./setting.ts";
import { selectSettings, upsertSetting } from "./store.ts";

/** All settings, in the order of their names. Errors: 404 code 1001. */
export async function listZoneSettings({ db, now }: Context, zoneId: string): Promise<ZoneSetting[]> {
  const zone = await findZone(db.read, zoneId);
  return toZoneSettings({ zone, stored: await selectSettings(db.read, zoneId), now: now() });
}

/** Errors: 400 code 1003 for a setting that does not exist, 404 code 1001. */
export async function getZoneSetting({ db, now }: Context, zoneId: string, id: string): Promise<ZoneSetting> {
  const zone = await findZone(db.read, zoneId);
  const setting = catalogue.get(id);
  if (setting === undefined) throw new AppError("invalid", 1003, `Undefined zone setting: ${id}`);
  const stored = await selectSettings(db.read, zoneId);
  return toZoneSetting(id, setting, { zone, stored, now: now() });
}

/** Whether a setting with the values `on` and `off` is on. */
export async function isSettingOn(db: Db, zone: ZoneRow, id: string): Promise<boolean> {
  const stored = await selectSettings(db, zone.id);
  const row = stored.get(id);
  const value = row === undefined ? initialValue(findSetting(id, ""), zone.plan) : fromJson(row.value);
  return value === "on";
}

/**
 * Changes one setting; a value that it has already changes nothing.
 * Errors: 400 code 1006 for a setting that does not exist, 1015 for one that the plan does not let be changed, 1007 for
 * a value that is none or that only a higher plan has; 410 code 10410 for `waf` once the zone has migrated; 404 code
 * 1001.
 */
export async function editZoneSetting(
  context: Context,
  caller: Caller,
  zoneId: string,
  id: string,
  body: EditZoneSettingBody,
): Promise<ZoneSetting> {
  const settings = await applyChanges(context, caller, zoneId, [{ ...body, id, pointer: "" }]);
  return toZoneSetting(id, findSetting(id, ""), settings);
}

/**
 * Changes several settings in their order, all or none; answers all settings.
 * Errors: 400 code 1004 without `items`, and those of `editZoneSetting` for the first item that is refused.
 */
export async function editZoneSettings(
  context: Context,
  caller: Caller,
  zoneId: string,
  { items }: EditZoneSettingsBody,
): Promise<ZoneSetting[]> {
  if (!items) throw new AppError("invalid", 1004, "Missing 'items'", { pointer: "/items" });
  const changes = items.map((item, index) => ({ ...item, pointer: `/items/${index}` }));
  return toZoneSettings(await applyChanges(context, caller, zoneId, changes));
}

/** The same within a transaction that has locked the zone. Errors: as `editZoneSettings`, without pointers. */
export async function presetZoneSettings(
  context: Context,
  tx: Db,
  zone: ZoneRow,
  items: readonly Omit<Change, "pointer">[],
): Promise<void> {
  const changes = items.map((item) => ({ ...item, pointer: "" }));
  await applyAll(tx, await settingsOf(context, tx, zone), changes);
}

/** The settings of a zone: what was changed of them, and when they are looked at. */
interface SettingsOfZone {
  readonly zone: ZoneRow;
  readonly stored: ReadonlyMap<string, ZoneSettingRow>;
  readonly now: Date;
}

interface Change extends EditZoneSettingBody {
  readonly id: string;
  /** Where the change is in the body; empty when it is all of it. */
  readonly pointer: string;
}

async function applyChanges(
  context: Context,
  caller: Caller,
  zoneId: string,
  changes: readonly Change[],
): Promise<SettingsOfZone> {
  return context.db.transaction(async (tx) => {
    const before = await settingsOf(context, tx, await lockZone(tx, zoneId));
    const after = await applyAll(tx, before, changes);
    await recordChanges(context, tx, caller, changedSettings(before, after));
    return after;
  });
}

async function settingsOf({ now }: Context, db: Db, zone: ZoneRow): Promise<SettingsOfZone> {
  return { zone, stored: await selectSettings(db, zone.id), now: now() };
}

async function applyAll(tx: Db, before: SettingsOfZone, changes: readonly Change[]): Promise<SettingsOfZone> {
  let settings = before;
  for (const change of changes) settings = await applyChange(tx, settings, change);
  return settings;
}

async function applyChange(tx: Db, settings: SettingsOfZone, change: Change): Promise<SettingsOfZone> {
  const { zone, stored, now } = settings;
  const { id, pointer } = change;
  const setting = findSetting(id, pointer);
  if (id === "waf") requirePreviousWaf(zone);
  if (!isEditable(setting, zone.plan)) {
    throw new AppError("invalid", 1015, `Not allowed to edit setting for ${id}`, at(pointer));
  }
  const key = setting.key ?? "value";
  const present = valueOf(id, setting, settings);
  const value = setting.form.parse(change[key] ?? change.value, present);
  if (value === undefined || !hasValue(setting, zone.plan, value)) {
    throw new AppError("invalid", 1007, `Invalid value for zone setting ${id}`, {
      pointer: `${pointer}/${key}`,
    });
  }
  // Development mode that is turned on again lasts from now on.
  const isRestart = id === developmentMode && value === "on";
  if (JSON.stringify(value) === JSON.stringify(present) && !isRestart) return settings;

  const row = { zone_id: zone.id, setting: id, value: toJson(value), modified_on: toTimestamp(now) };
  await upsertSetting(tx, row);
  return {
    zone: id === developmentMode ? await setDevelopmentMode(tx, zone, value === "on", now) : zone,
    stored: new Map([...stored, [id, row]]),
    now,
  };
}

function changedSettings(before: SettingsOfZone, after: SettingsOfZone): AuditedChange[] {
  const changed = [...after.stored].filter(([id, row]) => before.stored.get(id) !== row);
  return changed.map(([id]) => ({
    action: "change_setting",
    owner: { zone: after.zone },
    resource: { type: "zone_setting", id },
    before: toZoneSetting(id, findSetting(id, ""), before),
    after: toZoneSetting(id, findSetting(id, ""), after),
  }));
}

function findSetting(id: string, pointer: string): Setting {
  const setting = catalogue.get(id);
  if (setting !== undefined) return setting;
  throw new AppError("invalid", 1006, `Unrecognized zone setting name: ${id}`, at(pointer));
}

/** One setting is named by the path, several by the items of the body. */
function at(pointer: string): { pointer?: string } {
  return pointer === "" ? {} : { pointer };
}

function valueOf(id: string, setting: Setting, { zone, stored, now }: SettingsOfZone): unknown {
  if (id === developmentMode) {
    return developmentModeSeconds(zone.development_mode_ends_on, now) > 0 ? "on" : "off";
  }
  const row = stored.get(id);
  return row === undefined ? initialValue(setting, zone.plan) : fromJson(row.value);
}

function toZoneSettings(settings: SettingsOfZone): ZoneSetting[] {
  return [...catalogue].map(([id, setting]) => toZoneSetting(id, setting, settings));
}

function toZoneSetting(id: string, setting: Setting, settings: SettingsOfZone): ZoneSetting {
  const { zone, stored, now } = settings;
  return {
    id,
    [setting.key ?? "value"]: valueOf(id, setting, settings),
    modified_on: stored.get(id)?.modified_on ?? null,
    ...(id === developmentMode && {
      time_remaining: developmentModeSeconds(zone.development_mode_ends_on, now),
    }),
    // A zone that has migrated cannot change the setting of the previous version.
    editable: isEditable(setting, zone.plan) && (id !== "waf" || zone.waf !== "new"),
  };
}
