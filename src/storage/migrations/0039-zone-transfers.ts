import { PostgresAdapter, sql } from "kysely";

import { zoneChangesChannel } from "../postgres-watch.ts";
import type { SchemaChange } from "./schema-change.ts";

/** Who may transfer the zones of an account, and which zones are transferred to whom. */
export const createZoneTransfers: SchemaChange = async (db, { text }) => {
  const ofAccounts = (table: string) =>
    db.schema
      .createTable(table)
      .addColumn("id", text, (column) => column.notNull().primaryKey())
      .addColumn("account_id", text, (column) =>
        column.notNull().references("accounts.id").onDelete("cascade"),
      )
      .addColumn("name", text, (column) => column.notNull())
      .addColumn("created_on", text, (column) => column.notNull());
  await ofAccounts("transfer_acls")
    .addColumn("ip_range", text, (column) => column.notNull())
    .execute();
  await ofAccounts("transfer_keys")
    .addColumn("algo", text, (column) => column.notNull())
    .addColumn("secret", text, (column) => column.notNull())
    .execute();
  await ofAccounts("transfer_peers")
    .addColumn("ip", text)
    .addColumn("port", "integer")
    .addColumn("ixfr_enable", "integer")
    .addColumn("key_id", text, (column) => column.references("transfer_keys.id"))
    .addColumn("catalog_serial", "double precision")
    .addColumn("catalog_digest", text)
    .addColumn("catalog_notified_serial", "double precision")
    .execute();
  for (const table of ["transfer_acls", "transfer_keys", "transfer_peers"]) {
    await db.schema.createIndex(`${table}_account`).on(table).columns(["account_id", "created_on"]).execute();
  }
  await db.schema
    .createTable("outgoing_transfers")
    .addColumn("zone_id", text, (column) =>
      column.notNull().primaryKey().references("zones.id").onDelete("cascade"),
    )
    .addColumn("name", text, (column) => column.notNull())
    .addColumn("enabled", "integer", (column) => column.notNull())
    .addColumn("backlog_serial", "double precision", (column) => column.notNull())
    .addColumn("created_on", text, (column) => column.notNull())
    .addColumn("checked_on", text)
    .addColumn("transferred_on", text)
    .execute();
  await db.schema
    .createTable("outgoing_peers")
    .addColumn("zone_id", text, (column) =>
      column.notNull().references("outgoing_transfers.zone_id").onDelete("cascade"),
    )
    .addColumn("peer_id", text, (column) => column.notNull().references("transfer_peers.id"))
    .addColumn("position", "integer", (column) => column.notNull())
    .addColumn("notified_serial", "double precision")
    .addPrimaryKeyConstraint("outgoing_peers_key", ["zone_id", "peer_id"])
    .execute();
  await db.schema.createIndex("outgoing_peers_peer").on("outgoing_peers").column("peer_id").execute();
  if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return;
  for (const [table, owner, events] of announced) {
    await sql`
      create function ${sql.ref(`announce_${table}`)}() returns trigger language plpgsql as
      $$ begin
        perform pg_notify(${sql.lit(zoneChangesChannel)}, coalesce(new.${sql.ref(owner)}, old.${sql.ref(owner)}));
        return null;
      end $$`.execute(db);
    await sql`
      create trigger ${sql.ref(`${table}_changed`)} after ${sql.raw(events)} on ${sql.table(table)}
      for each row execute function ${sql.ref(`announce_${table}`)}()`.execute(db);
  }
};

/**
 * Tables whose changes concern the name servers of the zone, or of all zones of the account, that the column
 * names.
 */
const announced = [
  ["transfer_acls", "account_id", "insert or update or delete"],
  ["transfer_keys", "account_id", "insert or update or delete"],
  ["transfer_peers", "account_id", "insert or update or delete"],
  ["outgoing_transfers", "zone_id", "insert or delete or update of enabled, backlog_serial"],
  ["outgoing_peers", "zone_id", "insert or delete"],
] as const;
