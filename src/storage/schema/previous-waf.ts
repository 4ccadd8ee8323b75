import { flag, integer, json, nullable, reference, table, text, timestamp, type Row } from "./table.ts";

type OverrideModes = Record<string, "default" | "disable" | "simulate" | "block" | "challenge">;

export const previousWafTables = {
  waf_packages: table({
    zone_id: reference("zones", "cascade"),
    /** Null if it was never chosen. */
    sensitivity: nullable(text<"high" | "medium" | "low" | "off">()),
    action_mode: text<"simulate" | "block" | "challenge">(),
  }),
  /** A group of the previous WAF whose mode was chosen. */
  waf_groups: table(
    {
      zone_id: reference("zones", "cascade"),
      group_id: text(),
      mode: text<"on" | "off">(),
    },
    { key: ["zone_id", "group_id"] },
  ),
  /** A rule of the previous WAF whose mode was chosen. */
  waf_rules: table(
    {
      zone_id: reference("zones", "cascade"),
      rule_id: text(),
      mode: text<"default" | "disable" | "simulate" | "block" | "challenge" | "on" | "off">(),
    },
    { key: ["zone_id", "rule_id"] },
  ),
  waf_overrides: table(
    {
      id: text(),
      zone_id: reference("zones", "cascade"),
      paused: flag(),
      urls: json<string[]>(),
      priority: integer(),
      groups: json<OverrideModes>(),
      rules: json<OverrideModes>(),
      rewrite_action: json<OverrideModes>(),
      description: nullable(text()),
      created_on: timestamp(),
    },
    { indexes: [{ on: ["zone_id", "priority", "id"] }] },
  ),
};

export type WafPackageRow = Row<typeof previousWafTables.waf_packages>;
export type WafGroupRow = Row<typeof previousWafTables.waf_groups>;
export type WafRuleRow = Row<typeof previousWafTables.waf_rules>;
export type WafOverrideRow = Row<typeof previousWafTables.waf_overrides>;
