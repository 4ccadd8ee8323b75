import { statement } from "../../storage/statement.ts";
import type { Db } from "../../storage/tables.ts";
import type { ZoneRow } from "../../storage/schema/zones.ts";

type NamedRow = Pick<ZoneRow, "id" | "name" | "account_id">;

/**
 * The next active zones that planes serve, after an id and in the order of ids. As one expression, the condition
 * leads no engine to an index in another order, with which each portion would sort all zones.
 */
export const selectActiveZonesAfter = statement<{ after: string; limit: number }, NamedRow>(`
  select id, name, account_id from zones
  where case when status = 'active' then type else 'internal' end <> 'internal' and id > :after
  order by id limit :limit`);

/** The zones among these that are active and that planes serve. */
export async function selectActiveZones(db: Db, ids: readonly string[]): Promise<NamedRow[]> {
  return db
    .selectFrom("zones")
    .select(["id", "name", "account_id"])
    .where("status", "=", "active")
    .where("type", "<>", "internal")
    .where("id", "in", ids)
    .execute();
}

/**
 * The versions of the active zones among these, and the names that the last change of their records
 * listed.
 */
export async function selectZoneVersions(db: Db, ids: readonly string[]) {
  return db
    .selectFrom("zones")
    .leftJoin("dns_changes as last_change", (join) =>
      join
        .onRef("last_change.zone_id", "=", "zones.id")
        .onRef("last_change.version", "=", "zones.dns_records_version"),
    )
    .select(["zones.id", "zones.name", "zones.type", "zones.account_id", "zones.dns_records_version"])
    .select(["facts_version", "settings_version", "rules_version", "certificates_version"])
    .select("last_change.names as last_changed_names")
    .where("zones.status", "=", "active")
    .where("zones.type", "<>", "internal")
    .where("zones.id", "in", ids)
    .execute();
}

export async function selectAccountVersions(db: Db, ids: readonly string[]) {
  return db.selectFrom("accounts").select(["id", "rules_version"]).where("id", "in", ids).execute();
}
