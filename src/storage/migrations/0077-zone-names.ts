import { PostgresAdapter, sql } from "kysely";

import type { Db } from "../tables.ts";
import type { SchemaChange } from "./schema-change.ts";

/** Columns of a zone whose changes matter to edges. */
const edgeColumns =
  "name, type, status, paused, plan, waf, account_id, dns_records_version, dns_serial, vanity_name_servers, activation_order, subdomain_consents";
/** Columns of a zone whose changes matter to name servers. */
const dnsColumns =
  "type, status, paused, vanity_name_servers, dns_records_version, dns_serial, activation_order, subdomain_consents";

/**
 * A name may be pending in several accounts, and is active in one. What tells which zone answers for a name: the order in
 * which zones were first activated, and the accounts that may have zones below a zone. `check_due` makes the timer judge a
 * zone at its next round; zones that lie below an active zone of another account are judged once after the upgrade.
 */
export const shareZoneNames: SchemaChange = async (db, { text }) => {
  await db.schema.alterTable("zones").addColumn("activation_order", "integer").execute();
  await db.schema.alterTable("zones").addColumn("subdomain_consents", text).execute();
  await db.schema
    .alterTable("zones")
    .addColumn("check_due", "integer", (column) => column.notNull().defaultTo(0))
    .execute();
  if (db.getExecutor().adapter instanceof PostgresAdapter) await changePostgres(db);
  else await rebuildOnSqlite(db);
  await db.schema.dropIndex("zones_account").execute();
  await db.schema
    .createIndex("zones_account_name")
    .unique()
    .on("zones")
    .columns(["account_id", "name"])
    .execute();
  await db.schema.createIndex("zones_name").on("zones").column("name").execute();
  await sql`create unique index zones_active_name on zones (name) where status = 'active' and type <> 'internal'`.execute(
    db,
  );
  await sql`create index zones_vanity on zones (account_id) where vanity_name_servers <> '[]'`.execute(db);
  await sql`create index zones_check_due on zones (created_on) where check_due = 1`.execute(db);
  await db.schema.createIndex("zones_activation").on("zones").column("activation_order").execute();
  await sql`
    update zones set activation_order = (
      select place from (
        select id, row_number() over (order by activated_on, created_on, id) as place from zones
        where activated_on is not null) as activated
      where activated.id = zones.id)`.execute(db);
  await markEnclosedZones(db);
};

async function changePostgres(db: Db): Promise<void> {
  await sql`alter table zones drop constraint zones_name_key`.execute(db);
  await sql`drop trigger edge_zones_change on zones`.execute(db);
  await sql
    .raw(
      `create trigger edge_zones_change after update of ${edgeColumns} on zones ` +
        "for each row execute function edge_zones_change()",
    )
    .execute(db);
  await sql`drop trigger zone_changed on zones`.execute(db);
  await sql
    .raw(
      `create trigger zone_changed after insert or delete or update of ${dnsColumns} on zones ` +
        "for each row execute function announce_zone_change()",
    )
    .execute(db);
}

/** SQLite drops no constraint: the table is made anew (https://www.sqlite.org/lang_altertable.html#otheralter). */
async function rebuildOnSqlite(db: Db): Promise<void> {
  const { rows: parts } = await sql<{ type: string; sql: string }>`
    select type, sql from sqlite_schema where tbl_name = 'zones' and sql is not null order by rowid`.execute(
    db,
  );
  const before = parts.find(({ type }) => type === "table")?.sql ?? "";
  const after = before
    .replace(/^create table "?zones"?/i, 'create table "zones_anew"')
    .replace('"name" text not null unique', '"name" text not null');
  const others = parts
    .filter(({ type }) => type !== "table")
    .map(({ sql: part }) =>
      part.replace(/(?<=create trigger edge_zones_update after update of ).*?(?= on zones)/i, edgeColumns),
    );
  for (const statement of [
    after,
    "insert into zones_anew select * from zones",
    "drop table zones",
    "alter table zones_anew rename to zones",
    ...others,
  ]) {
    await sql.raw(statement).execute(db);
  }
}

/** The names alone are compared here; who delegates to whom is for the timer. */
async function markEnclosedZones(db: Db): Promise<void> {
  const active = await db
    .selectFrom("zones")
    .select(["id", "name", "account_id"])
    .where("status", "=", "active")
    .where("type", "<>", "internal")
    .execute();
  const accountOf = new Map(active.map(({ name, account_id }) => [name, account_id]));
  for (const { id, name, account_id } of active) {
    const labels = name.split(".");
    const uppers = labels.slice(1).map((_, index) => accountOf.get(labels.slice(index + 1).join(".")));
    if (uppers.every((upper) => upper === undefined || upper === account_id)) continue;
    await db.updateTable("zones").set({ check_due: 1 }).where("id", "=", id).execute();
  }
}
