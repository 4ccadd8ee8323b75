import { PostgresAdapter, sql } from "kysely";

import { zoneChangesChannel } from "../postgres-watch.ts";
import type { SchemaChange } from "./schema-change.ts";

/** From whom zones are transferred. */
export const createIncomingTransfers: SchemaChange = async (db, { text }) => {
  await db.schema
    .createTable("incoming_transfers")
    .addColumn("zone_id", text, (column) =>
      column.notNull().primaryKey().references("zones.id").onDelete("cascade"),
    )
    .addColumn("name", text, (column) => column.notNull())
    .addColumn("auto_refresh_seconds", "integer", (column) => column.notNull())
    .addColumn("created_on", text, (column) => column.notNull())
    .addColumn("modified_on", text, (column) => column.notNull())
    .addColumn("checked_on", text)
    .addColumn("soa", text)
    .addColumn("due_on", text, (column) => column.notNull())
    .addColumn("expires_on", text)
    .addColumn("wants_whole", "integer", (column) => column.notNull())
    .execute();
  await db.schema.createIndex("incoming_transfers_due").on("incoming_transfers").column("due_on").execute();
  await db.schema
    .createTable("incoming_peers")
    .addColumn("zone_id", text, (column) =>
      column.notNull().references("incoming_transfers.zone_id").onDelete("cascade"),
    )
    .addColumn("peer_id", text, (column) => column.notNull().references("transfer_peers.id"))
    .addColumn("position", "integer", (column) => column.notNull())
    .addPrimaryKeyConstraint("incoming_peers_key", ["zone_id", "peer_id"])
    .execute();
  await db.schema.createIndex("incoming_peers_peer").on("incoming_peers").column("peer_id").execute();
  if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return;
  await sql`
    create function announce_incoming_transfers() returns trigger language plpgsql as
    $$ begin
      perform pg_notify(${sql.lit(zoneChangesChannel)}, coalesce(new.zone_id, old.zone_id));
      return null;
    end $$`.execute(db);
  await sql`
    create trigger incoming_transfers_changed
    after insert or delete or update of modified_on, soa, expires_on, wants_whole on incoming_transfers
    for each row execute function announce_incoming_transfers()`.execute(db);
};
