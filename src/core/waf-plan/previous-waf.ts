import type { PageRuleAction } from "../page-rules/actions.ts";
import type { UrlPattern } from "../page-rules/url-pattern.ts";

/** All settings of the previous version of the managed rules in one zone. */
export interface PreviousWaf {
  /** The zone setting `waf`. */
  readonly isOn: boolean;
  readonly managed: ManagedPackage;
  readonly owasp: OwaspPackage;
  /** In their order. */
  readonly firewallRules: readonly PreviousFirewallRule[];
  /** In the order in which they apply. */
  readonly pageRules: readonly PreviousPageRule[];
  /** URI-based overrides. Ids are enough, as any of them stops the migration. */
  readonly overrideIds: readonly string[];
}

/** The package of traditional rules: what differs from its defaults. */
interface ManagedPackage {
  readonly rules: readonly ManagedRule[];
}

/** A rule of the previous version. */
export interface ManagedRule {
  readonly id: string;
  /** The rule of the managed ruleset that continues it. */
  readonly continuedBy: string;
  readonly groupMode: "on" | "off";
  /** `default` unless another was chosen. */
  readonly mode: "default" | "disable" | "simulate" | "block" | "challenge" | "on" | "off";
}

export interface OwaspPackage {
  /** Undefined if it was never chosen. */
  readonly sensitivity: "high" | "medium" | "low" | "off" | undefined;
  readonly actionMode: "simulate" | "block" | "challenge";
  /** Names of the groups and ids of the rules that were switched off or on. */
  readonly changedGroups: readonly string[];
  readonly changedRules: readonly string[];
}

export interface PreviousFirewallRule {
  readonly id: string;
  readonly description: string;
  readonly action: string;
  readonly products: readonly string[];
  /** Of the rule, or of its filter. */
  readonly isPaused: boolean;
  /** Undefined if its filter was deleted. */
  readonly expression: string | undefined;
}

export interface PreviousPageRule {
  readonly id: string;
  readonly isActive: boolean;
  readonly pattern: UrlPattern;
  /** As it was written. */
  readonly url: string;
  readonly actions: readonly PageRuleAction[];
}

/** Whether the rule lets requests bypass the managed rules, even if it is paused. */
export function bypassesManagedRules({ action, products }: PreviousFirewallRule): boolean {
  return action === "bypass" && products.includes("waf");
}

/** Whether a page rule turns the managed rules on or off; undefined if neither. */
export function managedRulesOf({ actions }: PreviousPageRule): "on" | "off" | undefined {
  if (actions.some(({ id }) => id === "disable_security")) return "off";
  const waf = actions.find(({ id }) => id === "waf")?.value;
  return waf === "on" || waf === "off" ? waf : undefined;
}
