import { selectRow, selectRows } from "../../storage/rows.ts";
import type { Db } from "../../storage/tables.ts";
import type { WafGroupRow, WafPackageRow, WafRuleRow } from "../../storage/schema/previous-waf.ts";
import type { ZoneRow } from "../../storage/schema/zones.ts";

/** What a zone has changed; everything else has its default. */
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
