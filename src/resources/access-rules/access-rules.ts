import { placesOf, type AccessRule, type RequestSource } from "../../core/firewall-products/access-rule.ts";
import type { Db } from "../../storage/tables.ts";
import { listSuperAdministrators } from "../memberships/memberships.ts";
import { selectAccessRulesAbout } from "./store.ts";

/**
 * The IP Access Rules of zones from these sources; without sources, those about any. The result finds those
 * of one zone.
 */
export async function readAccessRulesOfZones(
  db: Db,
  zoneIds: readonly string[],
  sources?: readonly RequestSource[],
): Promise<(zoneId: string) => readonly AccessRule[]> {
  const rules = Map.groupBy(
    await selectAccessRulesAbout(db, zoneIds, valuesOf(sources)),
    ({ scope_id }) => scope_id,
  );
  return (zoneId) => (rules.get(zoneId) ?? []).map(toJudged);
}

/** Reads the rules that hold in all zones of an account: its own, then those of its super administrators. */
export async function readAccessRulesOfAccount(
  db: Db,
  accountId: string,
  sources?: readonly RequestSource[],
): Promise<AccessRule[]> {
  const scopeIds = [accountId, ...(await listSuperAdministrators(db, accountId))];
  const rules = await selectAccessRulesAbout(db, scopeIds, valuesOf(sources));
  return scopeIds.flatMap((scopeId) => rules.filter(({ scope_id }) => scope_id === scopeId).map(toJudged));
}

function valuesOf(sources: readonly RequestSource[] | undefined): readonly string[] | undefined {
  return sources && [...new Set(sources.flatMap(placesOf).map(({ value }) => value))];
}

const toJudged = ({ id, notes, mode, target, value }: AccessRule): AccessRule => ({
  id,
  notes,
  mode,
  target,
  value,
});
