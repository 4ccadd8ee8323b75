import { PostgresAdapter, sql } from "kysely";

import { zoneChangesChannel } from "../postgres-watch.ts";
import type { SchemaChange } from "./schema-change.ts";

/**
 * The serial of a zone, and the names that each change of its records touched, so that a name server reads
 * only these again. A serial is null until the zone changes, also for zones that an instance of the version
 * before creates.
 */
export const addZoneSerials: SchemaChange = async (db, { text }) => {
  await db.schema.alterTable("zones").addColumn("dns_serial", "double precision").execute();
  await db.schema
    .createTable("dns_changes")
    .addColumn("zone_id", text, (column) => column.notNull().references("zones.id").onDelete("cascade"))
    .addColumn("version", "integer", (column) => column.notNull())
    .addColumn("names", text)
    .addPrimaryKeyConstraint("dns_changes_key", ["zone_id", "version"])
    .execute();
  if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return;
  await sql`
    create function announce_zone_change() returns trigger language plpgsql as
    $$ begin
      perform pg_notify(${sql.lit(zoneChangesChannel)}, coalesce(new.id, old.id));
      return null;
    end $$`.execute(db);
  await sql`
    create trigger zone_changed
    after insert or delete or update of type, status, paused, vanity_name_servers, dns_records_version, dns_serial
    on zones for each row execute function announce_zone_change()`.execute(db);
};
