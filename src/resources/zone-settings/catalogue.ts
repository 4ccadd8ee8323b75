import { cachingSettings } from "./caching.ts";
import { crawlerSettings } from "./crawlers.ts";
import { networkSettings } from "./network.ts";
import { optimizationSettings } from "./optimization.ts";
import { securitySettings } from "./security.ts";
import type { Setting } from "./setting.ts";
import { tlsSettings } from "./tls.ts";

/** Ends by itself: its value depends on the time. */
export const developmentMode = "development_mode";

/** Every setting of a zone by name, sorted. */
export const catalogue: ReadonlyMap<string, Setting> = new Map(
  Object.entries<Setting>({
    ...cachingSettings,
    ...crawlerSettings,
    ...networkSettings,
    ...optimizationSettings,
    ...securitySettings,
    ...tlsSettings,
  }).toSorted(([one], [other]) => (one < other ? -1 : 1)),
);
