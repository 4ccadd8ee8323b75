import catalogue from "../../../catalogues/previous-waf.json" with { type: "json" };

/** A package of the previous version. The id is the same in all zones. */
export interface WafPackage {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** In `anomaly` packages, rules add to a score; in `traditional` ones, each rule has an action. */
  readonly detectionMode: "traditional" | "anomaly";
}

export interface WafGroup {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly packageId: string;
}

export interface WafRule {
  /** `100015`, `WP0025B`, `981176`. */
  readonly id: string;
  readonly description: string;
  readonly priority: number;
  readonly groupId: string;
  readonly packageId: string;
  /** Undefined for rules of an anomaly package, which are on or off. */
  readonly defaultMode?: "disable" | "simulate" | "block" | "challenge";
  /** The managed rule with the same condition. */
  readonly continuedBy: string;
}

export const traditionalPackageId = "1e334934fd7ae32ad705667f8c1057aa";
export const owaspPackageId = "c504870194831cd12c3fc0284f294abb";

export const wafPackages = catalogue.packages as readonly WafPackage[];
export const wafGroups: readonly WafGroup[] = catalogue.groups;
export const wafRules = catalogue.rules as readonly WafRule[];

const rulesById = new Map(wafRules.map((rule) => [rule.id, rule]));
const groupsById = new Map(wafGroups.map((group) => [group.id, group]));
const packagesById = new Map(wafPackages.map((entry) => [entry.id, entry]));

export const findWafRule = (id: string): WafRule | undefined => rulesById.get(id);
export const findWafGroup = (id: string): WafGroup | undefined => groupsById.get(id);
export const findWafPackage = (id: string): WafPackage | undefined => packagesById.get(id);
