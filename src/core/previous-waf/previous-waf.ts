import type { ParsedPageRule } from "../page-rules/page-rule.ts";
import type { FirewallRule } from "../firewall-products/firewall-rules.ts";
import { findWafRule, owaspPackageId, traditionalPackageId, wafGroups, wafRules } from "./catalogue.ts";

export interface PreviousWaf {
  /** The zone setting `waf`. */
  readonly isOn: boolean;
  readonly managed: ManagedPackage;
  readonly owasp: OwaspPackage;
  readonly firewallRules: readonly PreviousFirewallRule[];
  /** The page rules in the order in which they apply. */
  readonly pageRules: readonly ParsedPageRule[];
  /** URI-based overrides, each of which prevents the migration. */
  readonly overrideIds: readonly string[];
}

interface ManagedPackage {
  readonly rules: readonly ManagedRule[];
}

export interface ManagedRule {
  readonly id: string;
  readonly continuedBy: string;
  readonly groupMode: "on" | "off";
  /** `default` unless it was changed. */
  readonly mode: "default" | "disable" | "simulate" | "block" | "challenge" | "on" | "off";
}

export interface OwaspPackage {
  readonly sensitivity: "high" | "medium" | "low" | "off" | undefined;
  readonly actionMode: "simulate" | "block" | "challenge";
  readonly changedGroups: readonly string[];
  readonly changedRules: readonly string[];
}

type PreviousFirewallRule = Omit<FirewallRule, "priority" | "modifiedOn">;

export function bypassesManagedRules({ action, products }: PreviousFirewallRule): boolean {
  return action === "bypass" && products.includes("waf");
}

/** Changes of a zone to the packages of the previous WAF; everything else has its default. */
export interface PreviousWafChoices {
  /** Null if it was never chosen. */
  readonly sensitivity: OwaspPackage["sensitivity"] | null;
  readonly actionMode: OwaspPackage["actionMode"];
  readonly groups: Readonly<Record<string, ManagedRule["groupMode"]>>;
  readonly rules: Readonly<Record<string, ManagedRule["mode"]>>;
  readonly overrideIds: readonly string[];
}

/**
 * The previous version of the managed rules in a zone. `isOn` is its setting `waf`; the firewall rules are in
 * the order of their creation.
 */
export function previousWafOf(
  { sensitivity, actionMode, groups, rules, overrideIds }: PreviousWafChoices,
  isOn: boolean,
  firewallRules: readonly FirewallRule[],
  pageRules: readonly ParsedPageRule[],
): PreviousWaf {
  const ofOwasp = (id: string): boolean => findWafRule(id)?.packageId === owaspPackageId;
  const placeOf = ({ priority }: FirewallRule): number => priority ?? Number.MAX_SAFE_INTEGER;
  return {
    isOn,
    managed: {
      rules: wafRules
        .filter(({ packageId }) => packageId === traditionalPackageId)
        .map(({ id, continuedBy, groupId }) => ({
          id,
          continuedBy,
          groupMode: groups[groupId] ?? "on",
          mode: rules[id] ?? "default",
        })),
    },
    owasp: {
      sensitivity: sensitivity ?? undefined,
      actionMode,
      changedGroups: wafGroups
        .filter(({ id, packageId }) => packageId === owaspPackageId && groups[id] === "off")
        .map(({ name }) => name),
      changedRules: Object.keys(rules).filter((id) => ofOwasp(id) && rules[id] === "off"),
    },
    firewallRules: firewallRules
      .filter(({ action }) => action === "bypass")
      .toSorted((one, other) => placeOf(one) - placeOf(other)),
    pageRules,
    overrideIds,
  };
}
