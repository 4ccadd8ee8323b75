import { cachingSettings } from "./caching.ts";
import { crawlerSettings } from "./crawlers.ts";
import { networkSettings } from "./network.ts";
import { optimizationSettings } from "./optimization.ts";
import { securitySettings } from "./security.ts";
import type { Plan } from "../expression/phases.ts";
import { initialValue, type Setting } from "./setting.ts";
import { tlsSettings } from "./tls.ts";

/** The setting that ends by itself: its value depends on the time. */
export const developmentMode = "development_mode";

/** The settings of a zone by topic. */
export const settingGroups: Readonly<Record<string, Readonly<Record<string, Setting>>>> = {
  Encryption: tlsSettings,
  Security: securitySettings,
  Caching: cachingSettings,
  Network: networkSettings,
  Optimization: optimizationSettings,
  Crawlers: crawlerSettings,
};

/** Every setting of a zone by name, sorted. */
export const catalogue: ReadonlyMap<string, Setting> = new Map(
  Object.values(settingGroups)
    .flatMap((group) => Object.entries(group))
    .toSorted(([one], [other]) => (one < other ? -1 : 1)),
);

/** Finds the value of a setting that does not change by itself: as it was changed, or as it is at first. */
export function settingValues(
  changed: Readonly<Record<string, unknown>>,
  plan: Plan,
): (id: string) => unknown {
  return (id) => {
    const setting = catalogue.get(id);
    if (setting === undefined) throw new Error(`there is no setting ${id}`);
    return Object.hasOwn(changed, id) ? changed[id] : initialValue(setting, plan);
  };
}
