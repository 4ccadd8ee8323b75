import {
  findWafGroup,
  findWafPackage,
  findWafRule,
  type WafGroup,
  type WafPackage,
  type WafRule,
} from "../../core/previous-waf/catalogue.ts";
import type { PreviousWafChoices } from "../../core/previous-waf/previous-waf.ts";
import type { Db } from "../../storage/tables.ts";
import type { ZoneRow } from "../../storage/schema/zones.ts";
import { byZone, putRow, selectRow, selectRows, selectRowsOfZones } from "../../storage/rows.ts";
import type { WafPackagePreset } from "./schema.ts";
import { selectWafOverrideIds } from "./store.ts";
import type { WafGroupRow, WafPackageRow, WafRuleRow } from "../../storage/schema/previous-waf.ts";
import { errorCodes } from "../../core/error-codes.ts";
import { invalidIdentifier, invalidRequest, invalidBody } from "../../core/error.ts";

/**
 * Applies the preset of a seed in the transaction that adds the zone. Errors: as `editWafPackage` and its
 * siblings.
 */
export async function presetWafPackage(tx: Db, zone: ZoneRow, preset: WafPackagePreset): Promise<void> {
  const { id, sensitivity, action_mode, groups = [], rules = [] } = preset;
  findPackage(id);
  if (sensitivity != null || action_mode != null) {
    findAnomalyPackage(id);
    const { owasp } = await readChosen(tx, zone);
    await putRow(tx, "waf_packages", {
      zone_id: zone.id,
      sensitivity: sensitivity ?? owasp.sensitivity,
      action_mode: action_mode ?? owasp.action_mode,
    });
  }
  for (const group of groups) {
    findGroup(id, group.id);
    await putRow(tx, "waf_groups", { zone_id: zone.id, group_id: group.id, mode: group.mode });
  }
  for (const rule of rules) {
    const mode = parseMode(findRule(id, rule.id), rule.mode);
    await putRow(tx, "waf_rules", { zone_id: zone.id, rule_id: rule.id, mode });
  }
}

/** Reads what zones have chosen; the result finds the choices of one zone. */
export async function readPreviousWafChoices(
  db: Db,
  zoneIds: readonly string[],
): Promise<(zoneId: string) => PreviousWafChoices> {
  const packagesOf = await selectRowsOfZones(db, "waf_packages", zoneIds);
  const groupsOf = await selectRowsOfZones(db, "waf_groups", zoneIds);
  const rulesOf = await selectRowsOfZones(db, "waf_rules", zoneIds);
  const overridesOf = byZone(await selectWafOverrideIds(db, zoneIds));
  return (zoneId) => {
    const [owasp] = packagesOf(zoneId);
    return {
      sensitivity: owasp?.sensitivity ?? null,
      actionMode: owasp?.action_mode ?? "challenge",
      groups: Object.fromEntries(groupsOf(zoneId).map(({ group_id, mode }) => [group_id, mode])),
      rules: Object.fromEntries(rulesOf(zoneId).map(({ rule_id, mode }) => [rule_id, mode])),
      overrideIds: overridesOf(zoneId).map(({ id }) => id),
    };
  };
}

/** The changes of a zone; everything else has its default. */
export interface Chosen {
  readonly owasp: WafPackageRow;
  readonly groups: ReadonlyMap<string, WafGroupRow["mode"]>;
  readonly rules: ReadonlyMap<string, WafRuleRow["mode"]>;
}

export async function readChosen(db: Db, zone: ZoneRow): Promise<Chosen> {
  const untouched: WafPackageRow = { zone_id: zone.id, sensitivity: null, action_mode: "challenge" };
  const groups = await selectRows(db, "waf_groups", { zone_id: zone.id });
  const rules = await selectRows(db, "waf_rules", { zone_id: zone.id });
  return {
    owasp: (await selectRow(db, "waf_packages", { zone_id: zone.id })) ?? untouched,
    groups: new Map(groups.map(({ group_id, mode }) => [group_id, mode])),
    rules: new Map(rules.map(({ rule_id, mode }) => [rule_id, mode])),
  };
}

/** Errors: 404 code 1002. */
export function findPackage(id: string): WafPackage {
  return findWafPackage(id) ?? unknown("package");
}

/** Errors: 404 code 1002. */
export function findGroup(packageId: string, id: string): WafGroup {
  findPackage(packageId);
  const group = findWafGroup(id);
  return group?.packageId === packageId ? group : unknown("group");
}

/** Errors: 404 code 1002. */
export function findRule(packageId: string, id: string): WafRule {
  findPackage(packageId);
  const rule = findWafRule(id);
  return rule?.packageId === packageId ? rule : unknown("rule");
}

/** Errors: 404 code 1002, 400 code 1027 for a package without scores. */
export function findAnomalyPackage(id: string): WafPackage {
  const found = findPackage(id);
  if (found.detectionMode === "anomaly") return found;
  throw invalidRequest(
    errorCodes.previousWaf.notAnomalyPackage,
    "Only anomaly WAF packages can have their package attributes updated",
  );
}

function unknown(noun: string): never {
  throw invalidIdentifier(`WAF ${noun}`, errorCodes.previousWaf.unknown);
}

type Mode = WafRuleRow["mode"];

export function modeOf(rule: WafRule, chosen: Chosen["rules"]): Mode {
  return chosen.get(rule.id) ?? untouchedMode(rule);
}

export function untouchedMode({ defaultMode }: WafRule): Mode {
  return defaultMode === undefined ? "on" : "default";
}

/** Rules that only add to a score are on or off; the others have an action. */
export function allowedModes({ defaultMode }: WafRule): readonly Mode[] {
  return defaultMode === undefined ? ["on", "off"] : ["default", "disable", "simulate", "block", "challenge"];
}

/** Errors: 400 code 1003 for a mode that the rule does not have. */
export function parseMode(rule: WafRule, text: string): Mode {
  const modes = allowedModes(rule);
  const mode = modes.find((allowed) => allowed === text);
  if (mode !== undefined) return mode;
  throw invalidBody("/mode", `must be one of: ${modes.join(", ")}`);
}
