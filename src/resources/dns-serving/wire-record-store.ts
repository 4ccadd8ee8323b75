import { sql, type SqlBool } from "kysely";

import type { Db } from "../../storage/tables.ts";
import type { WireRecordRow } from "../../storage/schema/dns.ts";
import { isShown } from "../../storage/shown-records.ts";

/** Whether any is served: only zones of the type `secondary` serve them. */
export async function isAnyWireRecord(db: Db, zoneId: string): Promise<boolean> {
  const rows = await servedOf(db, zoneId).select("identity").limit(1).execute();
  return rows.length > 0;
}

export async function selectWireRecordsAt(
  db: Db,
  zoneId: string,
  names: readonly string[],
): Promise<WireRecordRow[]> {
  if (names.length === 0) return [];
  return servedOf(db, zoneId).selectAll("wire_records").where("wire_records.name", "in", names).execute();
}

/**
 * The next ones that are served behind a position, by their names; only those at names at which the API has
 * no records.
 */
export async function selectWireRecordsAfter(
  db: Db,
  zoneId: string,
  { name, identity }: Pick<WireRecordRow, "name" | "identity">,
  limit: number,
): Promise<WireRecordRow[]> {
  return servedOf(db, zoneId)
    .selectAll("wire_records")
    .where(sql<SqlBool>`(wire_records.name, identity) > (${name}, ${identity})`)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("dns_records")
            .select("dns_records.id")
            .where("dns_records.zone_id", "=", zoneId)
            .where(isShown("dns_records", zoneId))
            .whereRef("dns_records.name", "=", "wire_records.name"),
        ),
      ),
    )
    .orderBy("wire_records.name")
    .orderBy("identity")
    .limit(limit)
    .execute();
}

function servedOf(db: Db, zoneId: string) {
  return db
    .selectFrom("wire_records")
    .innerJoin("zones", (join) =>
      join.onRef("zones.id", "=", "wire_records.zone_id").on("zones.type", "=", "secondary"),
    )
    .where("wire_records.zone_id", "=", zoneId)
    .where(isShown("wire_records", zoneId));
}
