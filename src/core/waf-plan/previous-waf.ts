import type { ParsedPageRule } from "../page-rules/page-rule.ts";

export interface PreviousWaf {
  /** The zone setting `waf`. */
  readonly isOn: boolean;
  readonly managed: ManagedPackage;
  readonly owasp: OwaspPackage;
  /** The firewall rules in their order. */
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
  /** Changed names of groups and ids of rules. */
  readonly changedGroups: readonly string[];
  readonly changedRules: readonly string[];
}

export interface PreviousFirewallRule {
  readonly id: string;
  readonly description: string;
  readonly action: string;
  readonly products: readonly string[];
  /** Whether the rule or its filter is paused. */
  readonly isPaused: boolean;
  /** Undefined if its filter was deleted. */
  readonly expression: string | undefined;
}

export function bypassesManagedRules({ action, products }: PreviousFirewallRule): boolean {
  return action === "bypass" && products.includes("waf");
}
