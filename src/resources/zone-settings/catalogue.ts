import { cachingSettings } from "./caching.ts";
import { crawlerSettings } from "./crawlers.ts";
import { networkSettings } from "./network.ts";
import { optimizationSettings } from "./optimization.ts";
import { securitySettings } from "./security.ts";
import type { Setting } from "./setting.ts";
import { tlsSettings } from "./tls.ts";

/** Ends by itself, so the clock says its value. */
export const developmentMode = "development_mode";

/** Every setting of a zone by its name, in the order of the names. */
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
