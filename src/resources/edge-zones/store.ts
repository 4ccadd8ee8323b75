import type { Db } from "../../storage/tables.ts";
import type { ZoneRow } from "../../storage/tables/zones.ts";

/** Active zones with their versions, if they are among `ids`; all of them without. */
export async function selectEdgeZones(
  db: Db,
  ids: readonly string[] | undefined,
): Promise<(ZoneRow & { readonly edge_version: number | null; readonly account_version: number | null })[]> {
  return db
    .selectFrom("zones")
    .leftJoin("edge_versions", "edge_versions.zone_id", "zones.id")
    .selectAll("zones")
    .select(["edge_versions.version as edge_version", "edge_versions.account_version"])
    .where("status", "=", "active")
    .where("type", "<>", "internal")
    .$if(ids !== undefined, (query) => query.where("zones.id", "in", ids ?? []))
    .execute();
}
