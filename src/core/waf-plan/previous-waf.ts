import type { PageRuleAction } from "../page-rules/actions.ts";
import type { UrlPattern } from "../page-rules/url-pattern.ts";

/** The previous version of the managed rules in a zone. */
export interface PreviousWaf {
  /** The zone setting `waf`. */
  readonly isOn: boolean;
  readonly managed: ManagedPackage;
  readonly owasp: OwaspPackage;
  /** In their order. */
  readonly firewallRules: readonly PreviousFirewallRule[];
  /** In the order in which they apply. */
  readonly pageRules: readonly PreviousPageRule[];
  /** URI-based overrides, each of which prevents the migration. */
  readonly overrideIds: readonly string[];
}

/** The traditional package. */
interface ManagedPackage {
  readonly rules: readonly ManagedRule[];
}

/** A rule of the previous version. */
export interface ManagedRule {
  readonly id: string;
  /** The managed rule that continues it. */
  readonly continuedBy: string;
  readonly groupMode: "on" | "off";
  /** `default` unless changed. */
  readonly mode: "default" | "disable" | "simulate" | "block" | "challenge" | "on" | "off";
}

export interface OwaspPackage {
  /** Undefined if unchanged. */
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

/** Whether the rule bypasses the managed rules, even if it is paused. */
export function bypassesManagedRules({ action, products }: PreviousFirewallRule): boolean {
  return action === "bypass" && products.includes("waf");
}

/** Whether a page rule turns the managed rules on or off. */
export function managedRulesOf({ actions }: PreviousPageRule): "on" | "off" | undefined {
  if (actions.some(({ id }) => id === "disable_security")) return "off";
  const waf = actions.find(({ id }) => id === "waf")?.value;
  return waf === "on" || waf === "off" ? waf : undefined;
}
