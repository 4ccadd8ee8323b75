import { sql, type RawBuilder, type SqlBool } from "kysely";

import type { Db } from "../../storage/tables.ts";
import { isShown, type RecordTable } from "../../storage/shown-records.ts";
import type { WireRecordRow } from "../../storage/schema/dns.ts";
import type { StoredRecord } from "../dns-records/dns-records.ts";

/**
 * The mark in front of the identity of a staged record while the one that it replaces has it; behind all
 * digits.
 */
const stagedMark = "~";

/** The generation of a zone whose records are shown. */
export async function selectGeneration(db: Db, zoneId: string): Promise<number> {
  const row = await db
    .selectFrom("zones")
    .select("records_generation")
    .where("id", "=", zoneId)
    .executeTakeFirst();
  return row?.records_generation ?? 0;
}

/** Shows the records of a generation, and hides those that were shown until it. */
export async function showGeneration(tx: Db, zoneId: string, generation: number): Promise<void> {
  await tx.updateTable("zones").set({ records_generation: generation }).where("id", "=", zoneId).execute();
}

/** Whether any records of the zone may be hidden. */
export async function noteHiding(tx: Db, zoneId: string, hides_records: 0 | 1): Promise<void> {
  await tx.updateTable("zones").set({ hides_records }).where("id", "=", zoneId).execute();
}

/** Zones that may hide records: a transfer of them is being stored, or its process has ended. */
export async function selectHidingZones(db: Db): Promise<readonly string[]> {
  const rows = await db.selectFrom("zones").select("id").where("hides_records", "=", 1).execute();
  return rows.map(({ id }) => id);
}

/**
 * Stores records that are shown from a generation on. `marked` are the identities that other records still
 * have.
 */
export async function insertStaged(
  tx: Db,
  { records, wire }: { readonly records: readonly StoredRecord[]; readonly wire: readonly WireRecordRow[] },
  { shown_from, marked }: { readonly shown_from: number; readonly marked: ReadonlySet<string> },
): Promise<void> {
  const staged = <Row extends { readonly identity: string }>(row: Row) => ({
    ...row,
    identity: marked.has(row.identity) ? stagedMark + row.identity : row.identity,
    shown_from,
  });
  if (records.length > 0) {
    await tx
      .insertInto("dns_records")
      .values(records.map(({ row }) => staged(row)))
      .execute();
  }
  if (wire.length > 0) await tx.insertInto("wire_records").values(wire.map(staged)).execute();
}

/** Hides records of a zone, by their identities, from a generation on. */
export async function hideFrom(
  tx: Db,
  table: RecordTable,
  zoneId: string,
  { identities, shown_until }: { readonly identities: readonly string[]; readonly shown_until: number },
): Promise<void> {
  if (identities.length === 0) return;
  await tx
    .updateTable(table)
    .set({ shown_until })
    .where("zone_id", "=", zoneId)
    .where("identity", "in", identities)
    .execute();
}

/**
 * One portion of what has to be done until a zone hides nothing: deletes what is not shown, and gives what is
 * shown its own form. Returns whether anything is left.
 */
export async function clearPortion(tx: Db, zoneId: string, limit: number): Promise<boolean> {
  const generation = await selectGeneration(tx, zoneId);
  let changed = 0n;
  for (const table of ["dns_records", "wire_records"] as const) {
    const identitiesWhere = async (condition: RawBuilder<SqlBool>): Promise<string[]> => {
      const rows = await tx
        .selectFrom(table)
        .select("identity")
        .where("zone_id", "=", zoneId)
        .where(condition)
        .limit(limit)
        .execute();
      return rows.map(({ identity }) => identity);
    };
    for (const condition of [
      sql<SqlBool>`shown_until is not null and shown_until <= ${generation}`,
      sql<SqlBool>`shown_from > 0 and shown_from > ${generation}`,
    ]) {
      const gone = await identitiesWhere(condition);
      changed += BigInt(gone.length);
      if (gone.length === 0) continue;
      await tx.deleteFrom(table).where("zone_id", "=", zoneId).where("identity", "in", gone).execute();
    }
    const kept = await identitiesWhere(sql<SqlBool>`shown_until is not null and shown_until > ${generation}`);
    const marked = changed > 0n ? [] : await identitiesWhere(sql<SqlBool>`identity >= ${stagedMark}`);
    changed += BigInt(kept.length + marked.length);
    if (kept.length > 0) {
      await tx
        .updateTable(table)
        .set({ shown_until: null })
        .where("zone_id", "=", zoneId)
        .where("identity", "in", kept)
        .execute();
    }
    if (marked.length > 0) {
      await tx
        .updateTable(table)
        .set({ identity: sql`substr(identity, 2)` })
        .where("zone_id", "=", zoneId)
        .where("identity", "in", marked)
        .execute();
    }
  }
  return changed > 0n;
}

/** The name of a record, and what tells it from others. */
export interface RecordKeys {
  readonly name: string;
  readonly identity: string;
  readonly ttl: number;
}

const identitiesAtOnce = 500;

/** Selects the keys of the next records of a zone behind an identity. */
export async function selectKeysAfter(
  db: Db,
  table: RecordTable,
  zoneId: string,
  identity: string,
  limit: number,
): Promise<RecordKeys[]> {
  return selectShownKeys(db, table, zoneId)
    .where("identity", ">", identity)
    .orderBy("identity")
    .limit(limit)
    .execute();
}

/** Selects the keys of the records of a zone with these identities. */
export async function selectKeys(
  db: Db,
  table: RecordTable,
  zoneId: string,
  identities: readonly string[],
): Promise<RecordKeys[]> {
  const keys: RecordKeys[] = [];
  for (let at = 0; at < identities.length; at += identitiesAtOnce) {
    const some = identities.slice(at, at + identitiesAtOnce);
    keys.push(...(await selectShownKeys(db, table, zoneId).where("identity", "in", some).execute()));
  }
  return keys;
}

function selectShownKeys(db: Db, table: RecordTable, zoneId: string) {
  return db
    .selectFrom(table)
    .select(["name", "identity", "ttl"])
    .where("zone_id", "=", zoneId)
    .where(isShown(table, zoneId));
}

export async function deleteRecords(
  db: Db,
  table: RecordTable,
  zoneId: string,
  identities: readonly string[],
): Promise<void> {
  if (identities.length === 0) return;
  await db.deleteFrom(table).where("zone_id", "=", zoneId).where("identity", "in", identities).execute();
}
