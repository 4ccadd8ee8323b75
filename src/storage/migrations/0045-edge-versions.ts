import { PostgresAdapter, sql } from "kysely";

import { zoneChangesChannel } from "../postgres-watch.ts";
import type { Db } from "../tables.ts";
import type { SchemaChange } from "./schema-change.ts";

/** Tables that an edge compiles a zone from; `zone_id` of a row names the zone. */
const tablesOfZones = [
  "zone_settings",
  "page_rules",
  "zone_lockdowns",
  "user_agent_rules",
  "url_normalizations",
  "managed_transforms",
  "filters",
  "firewall_rules",
  "waf_packages",
  "waf_groups",
  "waf_rules",
  "waf_overrides",
  "certificate_packs",
  "custom_certificates",
] as const;

/** The condition for a row of one zone, or of an account and so of all of its zones. */
const ofZoneOrAccount = (row: string): string => `id = ${row}.zone_id or account_id = ${row}.account_id`;

/** The zones that a change of a row affects, as a condition on `zones`. */
const conditions: readonly { readonly table: string; readonly of: (row: string) => string }[] = [
  ...tablesOfZones.map((table) => ({ table, of: (row: string) => `id = ${row}.zone_id` })),
  { table: "rulesets", of: ofZoneOrAccount },
  {
    table: "access_rules",
    of: (row) =>
      `${ofZoneOrAccount(row)} or account_id in (select account_id from memberships where user_id = ${row}.user_id)`,
  },
  {
    table: "lists",
    of: (row) =>
      `account_id = ${row}.account_id and exists (select 1 from list_references r ` +
      `where r.account_id = ${row}.account_id and r.list_name = ${row}.name)`,
  },
];

/** Columns of a zone that an edge reads. */
const zoneColumns = "name, type, status, paused, plan, waf, account_id, dns_records_version";

/**
 * A number for each zone that grows with every change of what an edge compiles it from, so that an edge reads
 * and compiles only changed zones. Triggers maintain it, whichever version of Zoneward makes the change.
 */
export const addEdgeVersions: SchemaChange = async (db, { text }) => {
  await db.schema
    .createTable("edge_versions")
    .addColumn("zone_id", text, (column) =>
      column.notNull().primaryKey().references("zones.id").onDelete("cascade"),
    )
    .addColumn("version", "integer", (column) => column.notNull())
    .execute();
  if (db.getExecutor().adapter instanceof PostgresAdapter) await addToPostgres(db);
  else await addToSqlite(db);
};

/**
 * A zone that is deleted and restored begins at another number, so that no edge mistakes it for the one it
 * knew.
 */
const raiseFrom =
  (start: string) =>
  (condition: string): string =>
    `insert into edge_versions (zone_id, version) select id, ${start} from zones where ${condition} ` +
    "on conflict (zone_id) do update set version = edge_versions.version + 1";

async function addToSqlite(db: Db): Promise<void> {
  const raise = raiseFrom("abs(random() % 1000000000)");
  const trigger = async (event: string, table: string, action: string): Promise<void> => {
    const [kind = ""] = event.split(" ");
    const name = `edge_${table}_${kind}`;
    await sql.raw(`create trigger ${name} after ${event} on ${table} begin ${action}; end`).execute(db);
  };
  for (const { table, of } of conditions) {
    await trigger("insert", table, raise(of("new")));
    await trigger("update", table, raise(of("new")));
    await trigger("delete", table, raise(of("old")));
  }
  await trigger(`update of ${zoneColumns}`, "zones", raise("id = new.id"));
}

async function addToPostgres(db: Db): Promise<void> {
  const raise = raiseFrom("floor(random() * 1000000000)::integer");
  const trigger = async (event: string, table: string, action: string): Promise<void> => {
    const name = `edge_${table}_change`;
    await sql
      .raw(
        `create function ${name}() returns trigger language plpgsql as $$ declare row_of record; begin ` +
          "if tg_op = 'DELETE' then row_of := old; else row_of := new; end if; " +
          `${action}; return null; end $$`,
      )
      .execute(db);
    await sql
      .raw(`create trigger ${name} after ${event} on ${table} for each row execute function ${name}()`)
      .execute(db);
  };
  for (const { table, of } of conditions)
    await trigger("insert or update or delete", table, raise(of("row_of")));
  await trigger(`update of ${zoneColumns}`, "zones", raise("id = row_of.id"));
  await trigger(
    "insert or update",
    "edge_versions",
    `perform pg_notify('${zoneChangesChannel}', row_of.zone_id)`,
  );
}
