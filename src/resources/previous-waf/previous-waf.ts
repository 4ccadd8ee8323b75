import {
  findWafRule,
  owaspPackageId,
  traditionalPackageId,
  wafGroups,
  wafRules,
} from "../../core/previous-waf/catalogue.ts";
import type { PreviousWaf } from "../../core/waf-plan/previous-waf.ts";
import type { Db } from "../../storage/tables.ts";
import type { ZoneRow } from "../../storage/schema/zones.ts";
import { putRow } from "../../storage/rows.ts";
import { readChosen } from "./chosen.ts";
import { findAnomalyPackage, findGroup, findPackage, findRule } from "./find.ts";
import { parseMode } from "./modes.ts";
import type { WafPackagePreset } from "./schema.ts";
import { selectWafOverrideIds } from "./store.ts";

/** Applies the preset of a seed in the transaction that adds the zone. Errors: as `editWafPackage` and its siblings. */
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

/** The packages and overrides of a zone, as a migration needs them. */
export async function readPackageState(
  db: Db,
  zone: ZoneRow,
): Promise<Pick<PreviousWaf, "managed" | "owasp" | "overrideIds">> {
  const { owasp, groups, rules } = await readChosen(db, zone);
  const overrideIds = await selectWafOverrideIds(db, zone.id);
  const ofOwasp = (id: string): boolean => findWafRule(id)?.packageId === owaspPackageId;
  return {
    managed: {
      rules: wafRules
        .filter(({ packageId }) => packageId === traditionalPackageId)
        .map(({ id, continuedBy, groupId }) => ({
          id,
          continuedBy,
          groupMode: groups.get(groupId) ?? "on",
          mode: rules.get(id) ?? "default",
        })),
    },
    owasp: {
      sensitivity: owasp.sensitivity ?? undefined,
      actionMode: owasp.action_mode,
      changedGroups: wafGroups
        .filter(({ id, packageId }) => packageId === owaspPackageId && groups.get(id) === "off")
        .map(({ name }) => name),
      changedRules: [...rules].filter(([id, mode]) => ofOwasp(id) && mode === "off").map(([id]) => id),
    },
    overrideIds,
  };
}
