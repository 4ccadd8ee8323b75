import { sql } from "kysely";

import { prepare } from "../../storage/prepared.ts";
import type { Db, DnsRecordRow, DnsRecordTagRow } from "../../storage/tables.ts";

/** How much of the content the index of its ordering holds. */
export const contentPrefixLength = 100;

type RecordText = Pick<DnsRecordRow, "record">;

const insertRow = prepare<DnsRecordRow & Record<string, string | number | null>, never>((db, argument) =>
  db.insertInto("dns_records").values({
    id: argument("id"),
    zone_id: argument("zone_id"),
    name: argument("name"),
    type: argument("type"),
    content_folded: argument("content_folded"),
    content_prefix: argument("content_prefix"),
    ttl: argument("ttl"),
    proxied: argument("proxied"),
    comment_folded: argument("comment_folded"),
    identity: argument("identity"),
    record: argument("record"),
  }),
);

export async function insertRecord(
  db: Db,
  row: DnsRecordRow,
  tags: readonly DnsRecordTagRow[],
): Promise<void> {
  await insertRow(db, { ...row });
  await insertTags(db, tags);
}

/** Inserts many records in few statements. */
export async function insertRecords(
  db: Db,
  records: readonly { readonly row: DnsRecordRow; readonly tags: readonly DnsRecordTagRow[] }[],
): Promise<void> {
  if (records.length === 0) return;
  await db
    .insertInto("dns_records")
    .values(records.map(({ row }) => row))
    .execute();
  await insertTags(
    db,
    records.flatMap(({ tags }) => tags),
  );
}

export async function updateRecord(
  db: Db,
  row: DnsRecordRow,
  tags: readonly DnsRecordTagRow[],
): Promise<void> {
  const { id, ...columns } = row;
  await db.updateTable("dns_records").set(columns).where("id", "=", id).execute();
  await db.deleteFrom("dns_record_tags").where("record_id", "=", id).execute();
  await insertTags(db, tags);
}

export async function deleteRecord(db: Db, id: string): Promise<void> {
  await db.deleteFrom("dns_records").where("id", "=", id).execute();
}

async function insertTags(db: Db, tags: readonly DnsRecordTagRow[]): Promise<void> {
  if (tags.length === 0) return;
  await db
    .insertInto("dns_record_tags")
    .values([...tags])
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

const recordsById = prepare<{ id: string; zoneId: string }, RecordText>((db, argument) =>
  db
    .selectFrom("dns_records")
    .select("record")
    .where("id", "=", argument("id"))
    .where("zone_id", "=", argument("zoneId")),
);

/** The record as the API answers it. */
export async function selectRecord(db: Db, zoneId: string, id: string): Promise<string | undefined> {
  const [row] = await recordsById(db, { id, zoneId });
  return row?.record;
}

const idsByIdentity = prepare<{ zoneId: string; identity: string }, Pick<DnsRecordRow, "id">>(
  (db, argument) =>
    db
      .selectFrom("dns_records")
      .select("id")
      .where("zone_id", "=", argument("zoneId"))
      .where("identity", "=", argument("identity")),
);

/** The id of the record with that identity. */
export async function selectIdByIdentity(
  db: Db,
  zoneId: string,
  identity: string,
): Promise<string | undefined> {
  const [row] = await idsByIdentity(db, { zoneId, identity });
  return row?.id;
}

/** An expression, as SQLite would group a column by its index, and walk through the whole zone for it. */
const typeOfRow = sql<string>`coalesce(type, '')`;

interface TypeAtName extends Pick<DnsRecordRow, "type"> {
  readonly count: number | string;
  /** The id of the record with the identity, where it is of that type. */
  readonly same_id: string | null;
}

const typesByName = prepare<{ zoneId: string; name: string; identity: string }, TypeAtName>((db, argument) =>
  db
    .selectFrom("dns_records")
    .select([
      typeOfRow.as("type"),
      sql<number | string>`count(*)`.as("count"),
      sql<string | null>`max(case when identity = ${argument("identity")} then id end)`.as("same_id"),
    ])
    .where("zone_id", "=", argument("zoneId"))
    .where("name", "=", argument("name"))
    .groupBy(typeOfRow),
);

/** How many records of each type there are at a name. */
export async function selectTypesAtName(
  db: Db,
  record: { readonly zoneId: string; readonly name: string; readonly identity: string },
): Promise<TypeAtName[]> {
  return typesByName(db, { ...record });
}

/** The types of the records at each of the names. */
export async function selectTypesOfNames(
  db: Db,
  zoneId: string,
  names: readonly string[],
): Promise<Pick<DnsRecordRow, "name" | "type">[]> {
  if (names.length === 0) return [];
  return db
    .selectFrom("dns_records")
    .select(["name", typeOfRow.as("type")])
    .distinct()
    .where("zone_id", "=", zoneId)
    .where("name", "in", [...names])
    .execute();
}

/** Those of the identities that records of the zone have. */
export async function selectIdentities(
  db: Db,
  zoneId: string,
  identities: readonly string[],
): Promise<string[]> {
  const rows = await db
    .selectFrom("dns_records")
    .select("identity")
    .where("zone_id", "=", zoneId)
    .where("identity", "in", [...identities])
    .execute();
  return rows.map(({ identity }) => identity);
}
