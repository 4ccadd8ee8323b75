import { selectRow } from "../../storage/rows.ts";
import type { Db } from "../../storage/tables.ts";
import type { WafGroupRow, WafPackageRow, WafRuleRow } from "../../storage/tables/previous-waf.ts";
import type { ZoneRow } from "../../storage/tables/zones.ts";
import { selectWafGroups, selectWafRules } from "./store.ts";

/** What a zone has changed; everything else has its default. */
export interface Chosen {
  readonly owasp: WafPackageRow;
  readonly groups: ReadonlyMap<string, WafGroupRow["mode"]>;
  readonly rules: ReadonlyMap<string, WafRuleRow["mode"]>;
}

export async function readChosen(db: Db, zone: ZoneRow): Promise<Chosen> {
  const untouched: WafPackageRow = { zone_id: zone.id, sensitivity: null, action_mode: "challenge" };
  return {
    owasp: (await selectRow(db, "waf_packages", { zone_id: zone.id })) ?? untouched,
    groups: await selectWafGroups(db, zone.id),
    rules: await selectWafRules(db, zone.id),
  };
}
