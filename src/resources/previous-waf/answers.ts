import {
  findWafGroup,
  wafRules,
  type WafGroup as CatalogueGroup,
  type WafPackage as CataloguePackage,
  type WafRule as CatalogueRule,
} from "../../core/previous-waf/catalogue.ts";
import type { ZoneRow } from "../../storage/schema/zones.ts";
import { type Chosen, allowedModes, modeOf, untouchedMode } from "./previous-waf.ts";
import type { WafGroup, WafPackage, WafRule } from "./schema.ts";

/** Only packages with scores have a sensitivity and an action. */
export function toWafPackage(
  { id, name, description, detectionMode }: CataloguePackage,
  zone: ZoneRow,
  { owasp }: Chosen,
): WafPackage {
  return {
    id,
    name,
    description,
    detection_mode: detectionMode,
    zone_id: zone.id,
    status: "active",
    ...(detectionMode === "anomaly" && {
      sensitivity: owasp.sensitivity ?? "high",
      action_mode: owasp.action_mode,
    }),
  };
}

export function toWafGroup(
  { id, name, description, packageId }: CatalogueGroup,
  { groups, rules }: Chosen,
): WafGroup {
  const members = wafRules.filter(({ groupId }) => groupId === id);
  return {
    id,
    name,
    description,
    rules_count: members.length,
    modified_rules_count: members.filter((rule) => modeOf(rule, rules) !== untouchedMode(rule)).length,
    package_id: packageId,
    mode: groups.get(id) ?? "on",
    allowed_modes: ["on", "off"],
  };
}

export function toWafRule(rule: CatalogueRule, { rules }: Chosen): WafRule {
  return {
    id: rule.id,
    description: rule.description,
    priority: String(rule.priority),
    group: { id: rule.groupId, name: findWafGroup(rule.groupId)?.name ?? "" },
    package_id: rule.packageId,
    mode: modeOf(rule, rules),
    ...(rule.defaultMode !== undefined && { default_mode: rule.defaultMode }),
    allowed_modes: [...allowedModes(rule)],
  };
}
