import { choice, setting, toggle, type Setting } from "./setting.ts";
import { hostname, listOf, object, trueOrFalse } from "./value-forms.ts";

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

const browserCacheSeconds = [
  0, 30, minute, 2 * minute, 5 * minute, 20 * minute, 30 * minute, hour, 2 * hour, 3 * hour, 4 * hour, 5 * hour,
  8 * hour, 12 * hour, 16 * hour, 20 * hour, day, 2 * day, 3 * day, 4 * day, 5 * day, 8 * day, 16 * day, 24 * day,
  31 * day, 62 * day, 186 * day, 365 * day,
]; // prettier-ignore

const edgeCacheSeconds = [
  30, minute, 5 * minute, 20 * minute, 30 * minute, hour, 2 * hour, 3 * hour, 4 * hour, 5 * hour, 8 * hour,
  12 * hour, 16 * hour, 20 * hour, day, 2 * day, 3 * day, 4 * day, 5 * day, 6 * day, 7 * day,
]; // prettier-ignore

export const cachingSettings: Readonly<Record<string, Setting>> = {
  always_online: toggle("Shows an archived copy of a page while the origin is away.", "on"),
  automatic_platform_optimization: setting(
    "Serves the pages of a WordPress site from the cache.",
    object({
      enabled: trueOrFalse,
      cf: trueOrFalse,
      wordpress: trueOrFalse,
      wp_plugin: trueOrFalse,
      hostnames: listOf(hostname, 100),
      cache_by_device_type: trueOrFalse,
    }),
    {
      enabled: false,
      cf: false,
      wordpress: false,
      wp_plugin: false,
      hostnames: [],
      cache_by_device_type: false,
    },
    { editableFrom: "pro" },
  ),
  browser_cache_ttl: choice(
    "Seconds for which a browser keeps what it got; 0 leaves it to the origin.",
    browserCacheSeconds,
    4 * hour,
  ),
  cache_level: choice(
    "What is cached: static files without a query string, with it ignored, or with every query string.",
    ["aggressive", "basic", "simplified"],
    "aggressive",
  ),
  development_mode: toggle("Goes past the cache for three hours, then ends by itself.", "off"),
  edge_cache_ttl: choice("Seconds for which the edge keeps what it got.", edgeCacheSeconds, 2 * hour, {
    valuesFrom: {
      30: "enterprise",
      [minute]: "enterprise",
      [5 * minute]: "enterprise",
      [20 * minute]: "enterprise",
      [30 * minute]: "business",
      [hour]: "pro",
    },
  }),
  prefetch_preload: toggle("Fetches what the headers of an answer name ahead of time.", "off", {
    editableFrom: "enterprise",
  }),
  response_buffering: toggle("Holds an answer back until all of it has come.", "off", {
    editableFrom: "enterprise",
  }),
  sort_query_string_for_cache: toggle(
    "Takes addresses whose query differs in its order only for the same.",
    "off",
    { editableFrom: "enterprise" },
  ),
};
