import type { Timestamp } from "../../storage/schema/table.ts";
import { isShown } from "../../storage/shown-records.ts";
import type { Db } from "../../storage/tables.ts";
import { turnOfAccount } from "../../storage/turns-of-accounts.ts";
import type { ZoneDnssecRow } from "../../storage/schema/dns.ts";
import type { ZoneRow } from "../../storage/schema/zones.ts";

/** Zones that are signed here and whose signatures are older than a day, the oldest first. */
export async function selectZonesToSign(db: Db, day: number, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom("zone_dnssec")
    .innerJoin("zones", "zones.id", "zone_id")
    .select("zone_id")
    .where("signed_day", "<", day)
    .where((or) =>
      or.or([or("presigned", "is", null), or("presigned", "=", 0), or("type", "<>", "secondary")]),
    )
    .orderBy(turnOfAccount("zone_id", "signed_day"))
    .orderBy("signed_day")
    .orderBy("zone_id")
    .limit(limit)
    .execute();
  return rows.map(({ zone_id }) => zone_id);
}

/** Zones with one of these states whose parents were last asked before that, the longest ago first. */
export async function selectZonesToCheck(
  db: Db,
  statuses: readonly ZoneDnssecRow["status"][],
  checkedBefore: Timestamp,
  limit: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom("zone_dnssec")
    .select("zone_id")
    .where("status", "in", statuses)
    .where((or) => or.or([or("checked_on", "is", null), or("checked_on", "<=", checkedBefore)]))
    .orderBy(turnOfAccount("zone_id", "checked_on"))
    .orderBy("checked_on")
    .limit(limit)
    .execute();
  return rows.map(({ zone_id }) => zone_id);
}

export async function updateDnssec(tx: Db, zoneId: string, change: Partial<ZoneDnssecRow>): Promise<void> {
  await tx.updateTable("zone_dnssec").set(change).where("zone_id", "=", zoneId).execute();
}

export async function deleteDnssec(tx: Db, zoneId: string): Promise<void> {
  await tx.deleteFrom("zone_dnssec").where("zone_id", "=", zoneId).execute();
}

/** The DNSKEY records at the apex of a zone. */
export async function selectKeysAt(db: Db, { id, name }: ZoneRow): Promise<string[]> {
  const rows = await db
    .selectFrom("dns_records")
    .select("record")
    .where("zone_id", "=", id)
    .where(isShown("dns_records", id))
    .where("name", "=", name)
    .where("type", "=", "DNSKEY")
    .orderBy("identity")
    .execute();
  return rows.map(({ record }) => record);
}

/** Makes the peers of a zone due at once, for a transfer of the whole zone. */
export async function requestWholeTransfer(tx: Db, zoneId: string, due_on: Timestamp): Promise<void> {
  await tx
    .updateTable("incoming_transfers")
    .set({ wants_whole: 1, due_on })
    .where("zone_id", "=", zoneId)
    .execute();
}

/**
 * The DS records at a name, as the zone of these names that is closest to it has them; undefined where none
 * is here.
 */
export async function selectSignersOf(
  db: Db,
  accountId: string,
  name: string,
  parents: readonly string[],
): Promise<string[] | undefined> {
  const zones = await db
    .selectFrom("zones")
    .select(["id", "name"])
    .where("account_id", "=", accountId)
    .where("status", "=", "active")
    .where("type", "in", ["full", "secondary"])
    .where("name", "in", parents)
    .execute();
  const [parent] = zones.toSorted((one, other) => other.name.length - one.name.length);
  if (parent === undefined) return undefined;
  const rows = await db
    .selectFrom("dns_records")
    .select("record")
    .where("zone_id", "=", parent.id)
    .where(isShown("dns_records", parent.id))
    .where("name", "=", name)
    .where("type", "=", "DS")
    .execute();
  return rows.map(({ record }) => record);
}
