import type { Flag, Json, Timestamp } from "../columns.ts";

/** The settings of the OWASP package of a zone. */
export interface WafPackageRow {
  zone_id: string;
  /** Null if it was never chosen. */
  sensitivity: "high" | "medium" | "low" | "off" | null;
  action_mode: "simulate" | "block" | "challenge";
}

/** A group of the previous WAF whose mode was chosen. */
export interface WafGroupRow {
  zone_id: string;
  group_id: string;
  mode: "on" | "off";
}

/** A rule of the previous WAF whose mode was chosen. */
export interface WafRuleRow {
  zone_id: string;
  rule_id: string;
  mode: "default" | "disable" | "simulate" | "block" | "challenge" | "on" | "off";
}

export interface WafOverrideRow {
  id: string;
  zone_id: string;
  paused: Flag;
  urls: Json<string[]>;
  priority: number;
  groups: Json<OverrideModes>;
  rules: Json<OverrideModes>;
  rewrite_action: Json<OverrideModes>;
  description: string | null;
  created_on: Timestamp;
}

type OverrideModes = Record<string, "default" | "disable" | "simulate" | "block" | "challenge">;
