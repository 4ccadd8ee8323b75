import type { PageRuleAction } from "../../core/page-rules/actions.ts";
import type { Phase } from "../../core/expression/phases.ts";
import type { UserAgentMode } from "../../core/firewall-products/user-agent-rule.ts";
import type { UrlNormalization } from "../../core/transforms/url-normalization.ts";
import type { RulesetKind } from "../../core/rulesets/rule-context.ts";
import type { Rule } from "../../core/rulesets/rule.ts";
import { flag, integer, json, nullable, reference, table, text, timestamp, type Row } from "./table.ts";

type BypassedProduct = "zoneLockdown" | "uaBlock" | "bic" | "hot" | "securityLevel" | "rateLimit" | "waf";

interface LockdownConfiguration {
  readonly target: "ip" | "ip_range";
  /** In the notation of the client. */
  readonly value: string;
}

interface PageRuleTarget {
  readonly target: "url";
  readonly constraint: { readonly operator: "matches" | "equals" | "contains"; readonly value: string };
}

export const ruleTables = {
  /** A ruleset of a zone or of an account; its content is in its versions. */
  rulesets: table(
    {
      id: text(),
      zone_id: nullable(reference("zones", "cascade")),
      account_id: nullable(reference("accounts", "cascade")),
      kind: text<Exclude<RulesetKind, "managed">>(),
      phase: text<Phase>(),
      /** The version that is in force. */
      version: integer(),
    },
    {
      indexes: [
        { on: ["zone_id", "phase"], isUnique: true, where: "zone_id is not null" },
        { on: ["account_id", "phase"], isUnique: true, where: "kind = 'root'" },
        { on: ["account_id"] },
      ],
    },
  ),
  ruleset_versions: table(
    {
      ruleset_id: reference("rulesets", "cascade"),
      /** From 1. */
      version: integer(),
      name: text(),
      description: text(),
      /** In the form of API answers. */
      rules: json<Rule[]>(),
      last_updated: timestamp(),
    },
    { key: ["ruleset_id", "version"] },
  ),
  filters: table(
    {
      id: text(),
      zone_id: reference("zones", "cascade"),
      expression: text(),
      /** SHA-256 of the expression, which is too long for an index. */
      expression_hash: text(),
      paused: flag(),
      description: text(),
      ref: nullable(text()),
    },
    { indexes: [{ on: ["zone_id", "expression_hash"], isUnique: true }] },
  ),
  firewall_rules: table(
    {
      id: text(),
      zone_id: reference("zones", "cascade"),
      /** A filter of the zone, which may have been deleted. */
      filter_id: text(),
      action: text<
        "block" | "challenge" | "js_challenge" | "managed_challenge" | "allow" | "log" | "bypass"
      >(),
      /** The products that `bypass` skips; empty for any other action. */
      products: json<BypassedProduct[]>(),
      priority: nullable(integer()),
      paused: flag(),
      description: text(),
      ref: nullable(text()),
      created_on: timestamp(),
      modified_on: timestamp(),
    },
    { indexes: [{ on: ["zone_id", "filter_id"], isUnique: true }] },
  ),
  /** An IP Access Rule; one of the three owners is set, and `scope_id` is its id. */
  access_rules: table(
    {
      id: text(),
      scope_id: text(),
      zone_id: nullable(reference("zones", "cascade")),
      account_id: nullable(reference("accounts", "cascade")),
      user_id: nullable(reference("users", "cascade")),
      mode: text<"block" | "challenge" | "js_challenge" | "managed_challenge" | "whitelist">(),
      target: text<"ip" | "ip6" | "ip_range" | "asn" | "country">(),
      /** In its canonical spelling. */
      value: text(),
      /** `value` with its IPv6 address written in full, lower case; null for other values. */
      full_value: nullable(text()),
      notes: text(),
      /** Lower case, for the filter. */
      notes_folded: text(),
      created_on: timestamp(),
      modified_on: timestamp(),
    },
    {
      indexes: [
        { on: ["scope_id", "target", "value"], isUnique: true },
        { on: ["zone_id"] },
        { on: ["account_id"] },
        { on: ["user_id"] },
      ],
    },
  ),
  /** The only addresses that may request some URLs of a zone. */
  zone_lockdowns: table(
    {
      id: text(),
      zone_id: reference("zones", "cascade"),
      description: text(),
      paused: flag(),
      created_on: timestamp(),
      modified_on: timestamp(),
      urls: json<string[]>(),
      configurations: json<LockdownConfiguration[]>(),
      /** The lowest number goes first; null comes behind all numbers. */
      priority: nullable(integer()),
    },
    { indexes: [{ on: ["zone_id", "created_on"] }] },
  ),
  /** The action on the requests of one user agent. */
  user_agent_rules: table(
    {
      id: text(),
      zone_id: reference("zones", "cascade"),
      description: text(),
      paused: flag(),
      created_on: timestamp(),
      modified_on: timestamp(),
      mode: text<UserAgentMode>(),
      user_agent: text(),
    },
    { indexes: [{ on: ["zone_id", "created_on"] }] },
  ),
  /** The normalization of the URLs of a zone's requests; a zone without a row has the default. */
  url_normalizations: table({
    zone_id: reference("zones", "cascade"),
    type: text<UrlNormalization["type"]>(),
    scope: text<UrlNormalization["scope"]>(),
  }),
  managed_transforms: table(
    {
      zone_id: reference("zones", "cascade"),
      transform: text(),
    },
    { key: ["zone_id", "transform"] },
  ),
  page_rules: table(
    {
      id: text(),
      zone_id: reference("zones", "cascade"),
      targets: json<PageRuleTarget[]>(),
      actions: json<PageRuleAction[]>(),
      priority: integer(),
      status: text<"active" | "disabled">(),
      created_on: timestamp(),
      modified_on: timestamp(),
    },
    { indexes: [{ on: ["zone_id", "priority"] }] },
  ),
};

export type RulesetRow = Row<typeof ruleTables.rulesets>;
export type RulesetVersionRow = Row<typeof ruleTables.ruleset_versions>;
export type FilterRow = Row<typeof ruleTables.filters>;
export type FirewallRuleRow = Row<typeof ruleTables.firewall_rules>;
export type AccessRuleRow = Row<typeof ruleTables.access_rules>;
export type ZoneLockdownRow = Row<typeof ruleTables.zone_lockdowns>;
export type UserAgentRuleRow = Row<typeof ruleTables.user_agent_rules>;
export type PageRuleRow = Row<typeof ruleTables.page_rules>;
