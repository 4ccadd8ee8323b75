import type { RequestContext } from "../expression/context.ts";
import { checkBrowser } from "./browser-check.ts";
import { checkHotlink } from "./hotlink-check.ts";
import type { ProductVerdict } from "./product.ts";
import type { SettingProduct } from "../rulesets/phases.ts";

/** The settings that page rules and `set_config` rules change for a request. */
type Configuration = Readonly<Record<string, unknown>>;

/**
 * A product that a setting of the zone turns on, which page rules and `set_config` rules override for a
 * request.
 */
export interface SettingStage {
  readonly settingProduct: SettingProduct;
  /**
   * Returns undefined where the product is off, or lets the request pass. With `hasAllHeaders`, a missing
   * header was not sent.
   */
  readonly judge: (
    request: RequestContext,
    configuration: Configuration,
    hasAllHeaders: boolean,
  ) => ProductVerdict | undefined;
}

/** The products that the settings of a zone turn on; `setting` finds the value of a setting by its id. */
export function settingStages(setting: (id: string) => unknown, zoneName: string): SettingStage[] {
  const checksBrowser = setting("browser_check") === "on";
  const zoneLevel = String(setting("security_level"));
  const protectsImages = setting("hotlink_protection") === "on";
  return [
    {
      settingProduct: "bic",
      // The setting is called `bic` in a rule and `browser_check` in a page rule.
      judge: (request, { bic, browser_check }, hasAllHeaders) => {
        const isOn = bic ?? (browser_check === undefined ? checksBrowser : browser_check === "on");
        return isOn === true ? checkBrowser(request, hasAllHeaders) : undefined;
      },
    },
    {
      settingProduct: "securityLevel",
      // The other levels depend on the reputation of addresses, which is unknown here.
      judge: (_request, { security_level: level = zoneLevel }) =>
        level === "under_attack"
          ? { ruleId: level, description: "Under attack", action: "js_challenge", skips: [] }
          : undefined,
    },
    {
      settingProduct: "hot",
      judge: (request, { hotlink_protection: isOn = protectsImages }) =>
        isOn === true ? checkHotlink(request, zoneName) : undefined,
    },
  ];
}
