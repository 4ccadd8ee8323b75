import { sql } from "kysely";

import { openDatabase } from "../src/storage/open-database.ts";
import type { Db } from "../src/storage/tables.ts";
import { call, createZone } from "./fixture.ts";
import type { ServerProcess } from "./process.ts";

const firstName = "host-0000000";
/** Ids begin with a time; these are some years old. */
const firstIdTime = 1_700_000_000_000;

/** Makes a zone with the one record that `multiplyRecord` copies; answers the id of the zone. */
export async function createFirstRecord(server: ServerProcess, zoneName: string): Promise<string> {
  const zoneId = await createZone(server, zoneName);
  const record = { type: "A", name: firstName, content: "192.0.2.1", comment: "A record of a large zone" };
  await call(server, "POST", `/zones/${zoneId}/dns_records`, record);
  return zoneId;
}

/**
 * Copies the record of a zone until there are `count`, each with an id and a name of its own. It writes rows
 * where the API would need many minutes.
 */
export async function multiplyRecord(file: string, zoneId: string, count: number): Promise<void> {
  const db = await openDatabase({ engine: "sqlite", file });
  try {
    await db.transaction(async (tx) => {
      // All of it at once: a page that leaves memory is written more than once.
      await sql`pragma cache_size = -2000000`.execute(tx);
      await insertCopies(tx, zoneId, count);
    });
  } finally {
    await db.close();
  }
}

async function insertCopies(tx: Db, zoneId: string, count: number): Promise<void> {
  // Materialized, as a random value is otherwise made anew wherever it is mentioned.
  await sql`
    with recursive
      numbers (n) as (select 1 union all select n + 1 from numbers where n + 1 < ${count}),
      fresh as materialized (
        select
          printf('%012x', ${firstIdTime} + n) || lower(hex(randomblob(10))) as id,
          lower(hex(randomblob(16))) as identity,
          printf('host-%07d', n) as label
        from numbers
      ),
      first as (
        select * from dns_records
        where zone_id = ${zoneId} and substr(name, 1, ${firstName.length}) = ${firstName}
      )
    insert into dns_records (
      id, zone_id, name, type, content_folded, content_prefix, ttl, proxied, comment_folded, identity, record
    )
    select
      fresh.id, first.zone_id, replace(first.name, ${firstName}, fresh.label), first.type,
      first.content_folded, first.content_prefix, first.ttl, first.proxied, first.comment_folded,
      fresh.identity, replace(replace(first.record, first.id, fresh.id), ${firstName}, fresh.label)
    from fresh, first
  `.execute(tx);
  await sql`update zones set dns_record_count = ${count} where id = ${zoneId}`.execute(tx);
}
