import { sql, type SqlBool } from "kysely";

import type { Db } from "../../storage/tables.ts";
import type { WireRecordRow } from "../../storage/tables/dns.ts";
import { isShown } from "../../storage/shown-records.ts";

/** The name of such a record, and what tells it from others. */
export type WireKeys = Pick<WireRecordRow, "name" | "identity" | "ttl">;

const identitiesAtOnce = 500;

/** Those of the next records of a zone that the API cannot express, behind an identity. */
export async function selectWireKeysAfter(
  db: Db,
  zoneId: string,
  identity: string,
  limit: number,
): Promise<WireKeys[]> {
  return db
    .selectFrom("wire_records")
    .select(["name", "identity", "ttl"])
    .where("zone_id", "=", zoneId)
    .where(isShown("wire_records", zoneId))
    .where("identity", ">", identity)
    .orderBy("identity")
    .limit(limit)
    .execute();
}

/** Those with these identities. */
export async function selectWireKeys(
  db: Db,
  zoneId: string,
  identities: readonly string[],
): Promise<WireKeys[]> {
  const keys: WireKeys[] = [];
  for (let at = 0; at < identities.length; at += identitiesAtOnce) {
    const found = await db
      .selectFrom("wire_records")
      .select(["name", "identity", "ttl"])
      .where("zone_id", "=", zoneId)
      .where(isShown("wire_records", zoneId))
      .where("identity", "in", identities.slice(at, at + identitiesAtOnce))
      .execute();
    keys.push(...found);
  }
  return keys;
}

/** Whether any is served: only zones of the type `secondary` serve them. */
export async function isAnyWireRecord(db: Db, zoneId: string): Promise<boolean> {
  const rows = await servedOf(db, zoneId).select("identity").limit(1).execute();
  return rows.length > 0;
}

export async function deleteWireRecords(
  db: Db,
  zoneId: string,
  identities: readonly string[],
): Promise<void> {
  if (identities.length === 0) return;
  await db
    .deleteFrom("wire_records")
    .where("zone_id", "=", zoneId)
    .where("identity", "in", identities)
    .execute();
}

/** Those that are served at any of the names. */
export async function selectWireRecordsAt(
  db: Db,
  zoneId: string,
  names: readonly string[],
): Promise<WireRecordRow[]> {
  if (names.length === 0) return [];
  return servedOf(db, zoneId).selectAll("wire_records").where("wire_records.name", "in", names).execute();
}

/** The next ones that are served behind a position, by their names; only those at names at which the API has no records. */
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
