import { sql } from "kysely";

import { insertion, statement } from "../../storage/statement.ts";
import type { Db } from "../../storage/tables.ts";
import type { DnsRecordRow, DnsRecordTagRow } from "../../storage/schema/dns.ts";
import type { ZoneRow } from "../../storage/schema/zones.ts";
import { isShown, shownRecords } from "../../storage/shown-records.ts";

/** The characters of the content that the index of its ordering holds. */
export const contentPrefixLength = 100;

export interface StoredRecord {
  readonly row: DnsRecordRow;
  readonly tags: readonly DnsRecordTagRow[];
}

const insertRow = insertion("dns_records");

export async function insertRecord(db: Db, { row, tags }: StoredRecord): Promise<void> {
  await insertRow(db, row);
  await insertTags(db, tags);
}

/** Inserts many records in few statements. */
export async function insertRecords(db: Db, records: readonly StoredRecord[]): Promise<void> {
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

export async function updateRecord(db: Db, { row, tags }: StoredRecord): Promise<void> {
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

const recordById = statement<{ zoneId: string; id: string }, Pick<DnsRecordRow, "record">>(
  `select record from dns_records where id = :id and zone_id = :zoneId and ${shownRecords}`,
);

/** The record as the API answers it. */
export async function selectRecord(db: Db, zoneId: string, id: string): Promise<string | undefined> {
  const [row] = await recordById(db, { zoneId, id });
  return row?.record;
}

const idByIdentity = statement<{ zoneId: string; identity: string }, Pick<DnsRecordRow, "id">>(
  `select id from dns_records where zone_id = :zoneId and identity = :identity and ${shownRecords}`,
);

export async function selectIdByIdentity(
  db: Db,
  zoneId: string,
  identity: string,
): Promise<string | undefined> {
  const [row] = await idByIdentity(db, { zoneId, identity });
  return row?.id;
}

/** An expression, as SQLite would group a column by its index, and walk through the whole zone for it. */
const typeOfRow = "coalesce(type, '')";

interface TypeAtName extends Pick<DnsRecordRow, "type"> {
  readonly count: number | string;
  /** Characters of content, of all of them. */
  readonly length: number | string;
  /** The id of the record with the identity, where it is of that type. */
  readonly same_id: string | null;
}

const lengthOfRows = "sum(length(content_folded))";

const typesAtName = (condition: string) =>
  statement<{ zoneId: string; name: string; identity: string }, TypeAtName>(`
    select ${typeOfRow} as type, count(*) as count, ${lengthOfRows} as length, max(case when identity = :identity then id end) as same_id
    from dns_records where zone_id = :zoneId and name = :name${condition} group by ${typeOfRow}`);
const typesOfAll = typesAtName("");
const typesOfShown = typesAtName(` and ${shownRecords}`);

/** Counts the records of each type that a locked zone has at a name, and the characters of their content. */
export async function selectTypesAtName(
  tx: Db,
  { id: zoneId, hides_records }: ZoneRow,
  name: string,
  identity: string,
): Promise<TypeAtName[]> {
  return (hides_records === 0 ? typesOfAll : typesOfShown)(tx, { zoneId, name, identity });
}

/** The types of the records at each of the names, and how much content they have. */
export async function selectTypesOfNames(
  db: Db,
  zoneId: string,
  names: readonly string[],
): Promise<(Pick<DnsRecordRow, "name"> & Pick<TypeAtName, "type" | "length">)[]> {
  if (names.length === 0) return [];
  return db
    .selectFrom("dns_records")
    .select([
      "name",
      sql<string>`${sql.raw(typeOfRow)}`.as("type"),
      sql<number | string>`${sql.raw(lengthOfRows)}`.as("length"),
    ])
    .where("zone_id", "=", zoneId)
    .where(isShown("dns_records", zoneId))
    .where("name", "in", [...names])
    .groupBy(["name", sql.raw(typeOfRow)])
    .execute();
}

export async function selectIdentities(
  db: Db,
  zoneId: string,
  identities: readonly string[],
): Promise<string[]> {
  const rows = await db
    .selectFrom("dns_records")
    .select("identity")
    .where("zone_id", "=", zoneId)
    .where(isShown("dns_records", zoneId))
    .where("identity", "in", [...identities])
    .execute();
  return rows.map(({ identity }) => identity);
}

/** The names with proxied records among these. */
export async function selectProxiedNames(
  db: Db,
  zoneId: string,
  names: readonly string[],
): Promise<string[]> {
  if (names.length === 0) return [];
  // SQLite would look for `proxied` by its index, and walk through all that are.
  const rows = await db
    .selectFrom("dns_records")
    .select(["name", "proxied"])
    .where("zone_id", "=", zoneId)
    .where(isShown("dns_records", zoneId))
    .where("name", "in", names)
    .execute();
  return rows.filter(({ proxied }) => proxied === 1).map(({ name }) => name);
}

/** The next proxied records of a zone by their ids. */
export async function selectProxiedRecordsAfter(
  db: Db,
  zoneId: string,
  id: string,
  limit: number,
): Promise<Pick<DnsRecordRow, "id" | "name">[]> {
  return db
    .selectFrom("dns_records")
    .select(["id", "name"])
    .where("zone_id", "=", zoneId)
    .where(isShown("dns_records", zoneId))
    .where("proxied", "=", 1)
    .where("id", ">", id)
    .orderBy("id")
    .limit(limit)
    .execute();
}
