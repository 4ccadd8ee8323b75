import type { Plan } from "../core/expression/phases.ts";
import { isJsonObject } from "../core/json-object.ts";
import { catalogue, developmentMode } from "../core/zone-settings/catalogue.ts";
import { hasValue, initialValue, isEditable } from "../core/zone-settings/setting.ts";
import { parseJson, setting, type Setting } from "./setting-forms.ts";

/** Values of settings of a zone by name, as the API takes them. */
export type ZoneSettingValues = Readonly<Record<string, unknown>>;

const example = '{"ssl":"flexible","always_use_https":"on"}';

/** Settings of a new zone that replace the initial values of its plan. */
export const newZoneSettings: Setting<ZoneSettingValues | undefined> = setting<ZoneSettingValues | undefined>(
  undefined,
  {
    form: "JSON",
    help:
      `Settings of a new zone that differ from those of its plan, such as ${example}. ` +
      "On a plan that does not allow one of them, the zone has what that plan says.",
  },
  (raw) => {
    const values = parseJson(raw);
    if (!isJsonObject(values)) return new Error(`must be a map of settings of a zone, such as ${example}`);
    const issue = Object.entries(values).flatMap(([id, value]) => issueIn(id, value) ?? [])[0];
    return issue === undefined ? values : new Error(issue);
  },
);

/** Settings that cannot be set here: `waf` has a setting of its own, and development mode ends by itself. */
const excluded: ReadonlySet<string> = new Set(["waf", developmentMode]);

function issueIn(id: string, value: unknown): string | undefined {
  const known = excluded.has(id) ? undefined : catalogue.get(id);
  if (known === undefined || !isEditable(known, "enterprise")) {
    return `must hold settings that new zones can have: ${id} is none`;
  }
  const isValid = known.form.parse(value, initialValue(known, "enterprise")) !== undefined;
  return isValid ? undefined : `must hold valid values: that of ${id} is not`;
}

/** The values that a plan allows. */
export function newZoneSettingsOn(values: ZoneSettingValues = {}, plan: Plan) {
  return Object.entries(values).flatMap(([id, value]) => {
    const known = catalogue.get(id);
    return known !== undefined && isEditable(known, plan) && hasValue(known, plan, value)
      ? [{ id, value }]
      : [];
  });
}
