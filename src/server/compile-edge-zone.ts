import { setImmediate as nextTurn } from "node:timers/promises";

import type { RunningRules } from "../core/rulesets/judge-request.ts";
import { edgeSettingsOf } from "../edge/edge-settings.ts";
import type { EdgeZone } from "../edge/edge-zone.ts";
import { ZoneCertificates } from "../edge/zone-certificates.ts";
import { nameRecordsOf, ZoneNames, type NameRecords } from "../edge/zone-names.ts";
import { streamRecordsByName } from "../resources/dns/serving.ts";
import type { StoredEdgeZone } from "../resources/edge-zones/edge-zones.ts";
import {
  compileRules,
  type CompiledExpressions,
  type RulesetContext,
} from "../resources/rulesets/rulesets.ts";
import type { Db } from "../storage/tables.ts";
import type { ZoneRow } from "../storage/tables/zones.ts";

/** A zone as it is stored. */
interface ReadZone {
  readonly row: ZoneRow;
  readonly stored: StoredEdgeZone;
  readonly names: ZoneNames;
}

/** A zone as an edge serves it; its rules are compiled separately. */
interface MadeZone {
  readonly zone: EdgeZone;
  /** Throws what compiling throws. */
  readonly compile: (expressions: CompiledExpressions) => Promise<RunningRules>;
}

export function makeEdgeZone(
  { vendor, managed }: Pick<RulesetContext, "vendor" | "managed">,
  { row, stored, names }: ReadZone,
): MadeZone {
  const isPaused = row.paused === 1;
  const { urlNormalization, rules, previous } = isPaused ? { ...stored, ...unjudged } : stored;
  const zone: EdgeZone = {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    isPaused,
    settings: edgeSettingsOf(stored.setting),
    names,
    certificates: new ZoneCertificates(stored.certificates),
    judging: { zone: { name: row.name, plan: row.plan }, vendor, urlNormalization, previous },
    readsBodies: previous?.isOn === true || readsBodies(rules),
  };
  return { zone, compile: (expressions) => compileRules(rules, managed, expressions) };
}

/** The records of a zone by their names. */
export async function readNames(db: Db, { id, name }: Pick<ZoneRow, "id" | "name">): Promise<ZoneNames> {
  const names = new Map<string, NameRecords>();
  for await (const records of streamRecordsByName(db, id)) {
    for (const [host, its] of records) names.set(host, nameRecordsOf(its));
    await nextTurn();
  }
  return new ZoneNames(name, names);
}

/** The rules of a paused zone: none. */
const unjudged = {
  rules: {
    entryPoints: [],
    custom: [],
    lists: new Map(),
    products: { products: [], transforms: undefined },
  },
  previous: undefined,
} satisfies Partial<StoredEdgeZone>;

/** Whether a rule may read the body of a request; managed rulesets do. */
function readsBodies({ entryPoints, custom }: StoredEdgeZone["rules"]): boolean {
  const rules = [...entryPoints, ...custom].flatMap((ruleset) =>
    ruleset.rules.filter(({ enabled }) => enabled),
  );
  return rules.some(
    (rule) => rule.action === "execute" || JSON.stringify(rule).includes("http.request.body"),
  );
}
