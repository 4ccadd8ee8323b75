import type { Db } from "../../storage/tables.ts";
import type { ZoneRow } from "../../storage/schema/zones.ts";

/** The versions of active zones, if they are among `ids`; of all of them without. */
export async function selectEdgeVersions(db: Db, ids: readonly string[] | undefined) {
  return db
    .selectFrom("zones")
    .leftJoin("edge_versions", "edge_versions.zone_id", "zones.id")
    .select(["zones.id", "zones.name", "zones.account_id", "zones.dns_records_version"])
    .select(["edge_versions.version", "edge_versions.account_version"])
    .where("status", "=", "active")
    .where("type", "<>", "internal")
    .$if(ids !== undefined, (query) => query.where("zones.id", "in", ids ?? []))
    .execute();
}

export async function selectEdgeZone(db: Db, id: string): Promise<ZoneRow | undefined> {
  return db
    .selectFrom("zones")
    .selectAll()
    .where("id", "=", id)
    .where("status", "=", "active")
    .executeTakeFirst();
}
