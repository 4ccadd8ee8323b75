import type {
  EditWafPackageBody,
  WafGroup,
  WafOverride,
  WafPackage,
  WafRule,
} from "../../../src/resources/previous-waf/schema.ts";
import { path, wholeList, type ApiCall } from "./call.ts";

export type { WafGroup, WafOverride, WafPackage, WafRule };

/** Packages, groups, rules and overrides of the previous version are below it. */
export const previousWafPath = (zoneId: string): string => path`/zones/${zoneId}/firewall/waf`;

export const listWafPackages = (zoneId: string): ApiCall<WafPackage[]> => ({
  method: "GET",
  path: path`/zones/${zoneId}/firewall/waf/packages`,
  query: wholeList,
});

const packagePath = (zoneId: string, packageId: string): string =>
  path`/zones/${zoneId}/firewall/waf/packages/${packageId}`;

export const editWafPackage = (
  zoneId: string,
  packageId: string,
  body: EditWafPackageBody,
): ApiCall<WafPackage> => ({ method: "PATCH", path: packagePath(zoneId, packageId), body });

export const listWafGroups = (zoneId: string, packageId: string): ApiCall<WafGroup[]> => ({
  method: "GET",
  path: path`/zones/${zoneId}/firewall/waf/packages/${packageId}/groups`,
  query: wholeList,
});

export const editWafGroup = (
  zoneId: string,
  packageId: string,
  groupId: string,
  mode: WafGroup["mode"],
): ApiCall<WafGroup> => ({
  method: "PATCH",
  path: path`/zones/${zoneId}/firewall/waf/packages/${packageId}/groups/${groupId}`,
  body: { mode },
});

export const listWafRules = (
  zoneId: string,
  packageId: string,
  query: {
    readonly description?: string | undefined;
    readonly group_id?: string | undefined;
    readonly page: number;
    readonly per_page: number;
  },
): ApiCall<WafRule[]> => ({
  method: "GET",
  path: path`/zones/${zoneId}/firewall/waf/packages/${packageId}/rules`,
  query,
});

export const editWafRule = (
  zoneId: string,
  packageId: string,
  ruleId: string,
  mode: string,
): ApiCall<WafRule> => ({
  method: "PATCH",
  path: path`/zones/${zoneId}/firewall/waf/packages/${packageId}/rules/${ruleId}`,
  body: { mode },
});

export const listWafOverrides = (zoneId: string): ApiCall<WafOverride[]> => ({
  method: "GET",
  path: path`/zones/${zoneId}/firewall/waf/overrides`,
  query: wholeList,
});

export const deleteWafOverride = (zoneId: string, overrideId: string): ApiCall<{ id: string }> => ({
  method: "DELETE",
  path: path`/zones/${zoneId}/firewall/waf/overrides/${overrideId}`,
});

/** The switch of the previous version as a whole: the zone setting `waf`. */
export interface WafSwitch {
  readonly value: "on" | "off";
}

export const wafSwitchPath = (zoneId: string): string => path`/zones/${zoneId}/settings/waf`;

export const wafSwitchOf = (zoneId: string): ApiCall<WafSwitch> => ({
  method: "GET",
  path: wafSwitchPath(zoneId),
});

export const setWafSwitch = (zoneId: string, value: WafSwitch["value"]): ApiCall<WafSwitch> => ({
  method: "PATCH",
  path: wafSwitchPath(zoneId),
  body: { value },
});
