import type { PageRuleAction } from "../../core/page-rules/actions.ts";
import type { Phase } from "../../core/expression/phases.ts";
import type { UserAgentMode } from "../../core/firewall-products/user-agent-rule.ts";
import type { UrlNormalization } from "../../core/transforms/url-normalization.ts";
import type { RulesetKind } from "../../core/rulesets/rule-context.ts";
import type { Rule } from "../../core/rulesets/rule.ts";
import type { Flag, Json, Timestamp } from "../columns.ts";

/** A ruleset of a zone or of an account; its content is in its versions. */
export interface RulesetRow {
  id: string;
  zone_id: string | null;
  account_id: string | null;
  kind: Exclude<RulesetKind, "managed">;
  phase: Phase;
  /** The version that is in force. */
  version: number;
}

export interface RulesetVersionRow {
  ruleset_id: string;
  /** From 1. */
  version: number;
  name: string;
  description: string;
  /** As the API answers them. */
  rules: Json<Rule[]>;
  last_updated: Timestamp;
}

export interface FilterRow {
  id: string;
  zone_id: string;
  expression: string;
  /** SHA-256 of the expression, which is too long for an index. */
  expression_hash: string;
  paused: Flag;
  description: string;
  ref: string | null;
}

export interface FirewallRuleRow {
  id: string;
  zone_id: string;
  /** A filter of the zone, which may have been deleted. */
  filter_id: string;
  action: "block" | "challenge" | "js_challenge" | "managed_challenge" | "allow" | "log" | "bypass";
  /** The products that `bypass` skips; empty for any other action. */
  products: Json<BypassedProduct[]>;
  priority: number | null;
  paused: Flag;
  description: string;
  ref: string | null;
  created_on: Timestamp;
  modified_on: Timestamp;
}

type BypassedProduct = "zoneLockdown" | "uaBlock" | "bic" | "hot" | "securityLevel" | "rateLimit" | "waf";

/** An IP Access Rule; one of the three owners is set, and `scope_id` is its id. */
export interface AccessRuleRow {
  id: string;
  scope_id: string;
  zone_id: string | null;
  account_id: string | null;
  user_id: string | null;
  mode: "block" | "challenge" | "js_challenge" | "managed_challenge" | "whitelist";
  target: "ip" | "ip6" | "ip_range" | "asn" | "country";
  /** In its canonical spelling. */
  value: string;
  /** `value` with its IPv6 address written in full, lower case; null for other values. */
  full_value: string | null;
  notes: string;
  /** Lower case, for the filter. */
  notes_folded: string;
  created_on: Timestamp;
  modified_on: Timestamp;
}

/** The only addresses that may request some URLs of a zone. */
export interface ZoneLockdownRow {
  id: string;
  zone_id: string;
  description: string;
  paused: Flag;
  created_on: Timestamp;
  modified_on: Timestamp;
  urls: Json<string[]>;
  configurations: Json<LockdownConfiguration[]>;
  /** The lowest number goes first; null comes behind all numbers. */
  priority: number | null;
}

interface LockdownConfiguration {
  readonly target: "ip" | "ip_range";
  /** As it was sent. */
  readonly value: string;
}

/** The action on the requests of one user agent. */
export interface UserAgentRuleRow {
  id: string;
  zone_id: string;
  description: string;
  paused: Flag;
  created_on: Timestamp;
  modified_on: Timestamp;
  mode: UserAgentMode;
  user_agent: string;
}

/** How the URLs of a zone's requests are normalized; a zone without a row has the default. */
export interface UrlNormalizationRow extends UrlNormalization {
  zone_id: string;
}

/** A managed transform that is on. */
export interface ManagedTransformRow {
  zone_id: string;
  transform: string;
}

export interface PageRuleRow {
  id: string;
  zone_id: string;
  targets: Json<PageRuleTarget[]>;
  actions: Json<PageRuleAction[]>;
  priority: number;
  status: "active" | "disabled";
  created_on: Timestamp;
  modified_on: Timestamp;
}

interface PageRuleTarget {
  readonly target: "url";
  readonly constraint: { readonly operator: "matches" | "equals" | "contains"; readonly value: string };
}
