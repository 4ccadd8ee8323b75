import {
  findWafRule,
  owaspPackageId,
  traditionalPackageId,
  wafGroups,
  wafRules,
} from "../../core/previous-waf/catalogue.ts";
import type { ManagedRule, OwaspPackage } from "../../core/waf-plan/previous-waf.ts";
import type { Db, ZoneRow } from "../../storage/tables.ts";
import { readChosen } from "./chosen.ts";
import { selectWafOverrideIds } from "./store.ts";

/** What a migration has to know of the packages of a zone. */
export interface PackageState {
  readonly managed: { readonly rules: readonly ManagedRule[] };
  readonly owasp: OwaspPackage;
  readonly overrideIds: readonly string[];
}

export async function readPackageState(db: Db, zone: ZoneRow): Promise<PackageState> {
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
