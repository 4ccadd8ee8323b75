import assert from "node:assert/strict";
import { test } from "node:test";

import { sql } from "kysely";
import { pino } from "pino";

import { startApp } from "../server/app.ts";
import { permissionGroupCatalogue } from "../core/policy/permission-groups.ts";
import { readConfig } from "../config/config.ts";
import {
  newDirectory,
  newLocation,
  onEachEngine,
  openTestDatabase,
  sendRequest,
  startTestApp,
  type Engine,
  type TestApp,
} from "../../test/support/harness.ts";
import { addRow, rowNames } from "../../test/support/rows.ts";
import { besideServer } from "../../test/support/store.ts";
import { checkStore } from "./check.ts";
import type { Database } from "./database.ts";
import { applyMigrations, selectMigrations } from "./migrations.ts";
import { openDatabase } from "./open-database.ts";
import { addColumn, addIndex, addTable } from "./migrations.ts";
import { tableNames as declaredNames, tables as declared } from "./tables.ts";

async function tablesOf({ read }: Pick<Database, "read">) {
  const tables = await read.introspection.getTables();
  return tables
    .map(({ name, columns }) => ({
      name,
      columns: columns.map((column) => `${column.name}${column.isNullable ? "?" : ""}`),
    }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Tables, columns, and indexes by their definitions. */
async function partsOf(db: Database, engine: Engine) {
  const indexes =
    engine === "sqlite"
      ? sql<{
          sql: string;
        }>`select sql from sqlite_schema where type = 'index' and sql is not null order by name`
      : sql<{
          sql: string;
        }>`select indexdef as sql from pg_indexes where schemaname = 'public' order by indexname`;
  return { tables: await sortedTablesOf(db), indexes: (await indexes.execute(db.read)).rows };
}

/** Ignores the order of columns, as columns that were added later are last. */
async function sortedTablesOf(db: Database) {
  return (await tablesOf(db)).map(({ name, columns }) => ({ name, columns: columns.toSorted() }));
}

test("both engines get the tables that are declared and no others, with the same columns", async (t) => {
  const [sqlite, postgres] = [await openTestDatabase(t, "sqlite"), await openTestDatabase(t, "postgres")];
  const tables = await tablesOf(sqlite);
  assert.deepEqual(
    tables.map(({ name }) => name),
    [...declaredNames, "migrations"].toSorted(),
  );
  assert.deepEqual(await tablesOf(postgres), tables);
});

test("every text column of PostgreSQL compares byte by byte, as those of SQLite do", async (t) => {
  const db = await openTestDatabase(t, "postgres");
  const { rows } = await sql<{ column: string; collation: string }>`
    select table_name || '.' || column_name as column, collation_name as collation
    from information_schema.columns
    where table_schema = 'public' and data_type = 'text'`.execute(db.read);
  assert.ok(rows.length > 20, `only ${rows.length} columns`);
  assert.deepEqual(
    rows.filter(({ collation }) => collation !== "C"),
    [],
  );
});

test("every reference leads an index or a key, so that no deletion reads a whole table", () => {
  for (const name of declaredNames) {
    const { columns, key, indexes } = declared[name];
    const leading = new Set([key[0], ...indexes.map(({ on }) => on[0])]);
    for (const [column, { reference }] of Object.entries(columns))
      assert.ok(reference === undefined || leading.has(column), `${name}.${column}`);
  }
});

onEachEngine("migrations", (engine) => {
  test("bring the store of an earlier version to what its tables declare, and make an empty one at once", async (t) => {
    const [current, earlier] = [await openTestDatabase(t, engine), await openTestDatabase(t, engine)];
    const index = { on: ["paused"] };
    await current.transaction((tx) => addIndex(tx, "zones", index));
    await earlier.transaction(async (tx) => {
      await addRow(tx, "kept");
      await tx.schema.dropTable("record_scans").execute();
      await tx.schema.alterTable("zones").dropColumn("name_server_set").execute();
    });
    const applied: string[] = [];
    const changes: Parameters<typeof applyMigrations>[2] = {
      "0001-baseline": async () => void applied.push("0001-baseline"),
      "0002-later": async (tx) => {
        applied.push("0002-later");
        await addTable(tx, engine, "record_scans");
        await addColumn(tx, engine, "zones", "name_server_set");
        await addIndex(tx, "zones", index);
      },
    };
    await earlier.transaction((tx) => applyMigrations(tx, engine, changes));
    assert.deepEqual(applied, ["0002-later"]);
    assert.deepEqual(await partsOf(earlier, engine), await partsOf(current, engine));
    assert.deepEqual(await rowNames(earlier.read), ["kept"]);

    const empty = await openDatabase(await newLocation(t, engine));
    t.after(() => empty.close());
    const migrate = () => empty.transaction((tx) => applyMigrations(tx, engine, changes));
    await migrate();
    await migrate();
    assert.deepEqual(applied, ["0002-later", "0001-baseline"]);
    assert.deepEqual(await selectMigrations(empty.read), Object.keys(changes));
  });

  test("are refused by a store that a development version made, which stays as it is", async (t) => {
    const location = await newLocation(t, engine);
    const db = await openDatabase(location);
    t.after(() => db.close());
    await db.transaction(async (tx) => {
      await sql`create table kysely_migration (name text, timestamp text)`.execute(tx);
      await sql`insert into kysely_migration values ('0001-accounts', '2026'), ('0096-user-groups', '2026')`.execute(
        tx,
      );
    });
    const refusal = /a development version of Zoneward made it, .* begin with a new store/;
    await assert.rejects(db.migrate(), refusal);
    await assert.rejects(
      checkStore(db, () => ""),
      refusal,
    );
    const found = await db.read.introspection.getTables({ withInternalKyselyTables: true });
    assert.deepEqual(
      found.map(({ name }) => name),
      ["kysely_migration"],
    );
  });

  test("run again change nothing", async (t) => {
    const db = await openTestDatabase(t, engine);
    await db.transaction((tx) => addRow(tx, "kept"));
    const tables = await tablesOf(db);
    await db.migrate();
    assert.deepEqual(await tablesOf(db), tables);
    assert.deepEqual(await rowNames(db.read), ["kept"]);
  });

  test("run by several at the same instant on an empty store all succeed", async (t) => {
    const location = await newLocation(t, engine);
    const stores = await Promise.all(
      [1, 2, 3, 4].map(async () => {
        const db = await openDatabase(location);
        t.after(() => db.close());
        await db.migrate();
        return db;
      }),
    );
    for (const [index, db] of stores.entries()) await db.transaction((tx) => addRow(tx, `row ${index}`));
    for (const db of stores) assert.equal((await rowNames(db.read)).length, 4);
  });

  test("two servers that start at the same instant on an empty store serve one owner", async (t) => {
    const location = await newLocation(t, engine);
    const { config: defaults } = await readConfig([], {});
    const start = async (owner_email: string) => {
      const database = location.engine === "postgres" ? location.url : undefined;
      const config = { ...defaults, port: 0, data: directory, database, owner_email };
      const app = await startApp(config, { logger: pino({ level: "silent" }) });
      t.after(() => app.close());
      return app;
    };
    const directory = newDirectory(t);
    const apps = await Promise.all([start("first@example.com"), start("second@example.com")]);

    const [first, second] = apps.map(({ owner: { userId, accountId, email } }) => ({
      userId,
      accountId,
      email,
    }));
    assert.deepEqual(first, second);
    const keys = apps.flatMap(({ owner }) => owner.newKey ?? []);
    assert.equal(keys.length, 1);
    const headers = { "x-auth-email": first?.email ?? "", "x-auth-key": keys[0] ?? "" };
    for (const { baseUrl } of apps) {
      const { status, body } = await sendRequest(baseUrl, "GET", "/accounts", { headers });
      assert.equal(status, 200);
      assert.deepEqual(
        body.result.map(({ id }: { id: string }) => id),
        [first?.accountId],
      );
    }
  });
});

onEachEngine("a store with a migration of a later version", (engine) => {
  const later = "9999-later";
  const addColumns = async (app: TestApp): Promise<void> =>
    besideServer(app, async (tx) => {
      await tx.schema.alterTable("zones").addColumn("later", "text").execute();
      await tx.schema
        .alterTable("tokens")
        .addColumn("later", "text", (column) => column.notNull().defaultTo("-"))
        .execute();
      await tx.schema.createTable("later").addColumn("id", "text").execute();
      await sql`insert into migrations (name, applied_on) values (${later}, ${"2999-01-01T00:00:00.000Z"})`.execute(
        tx,
      );
    });
  const isServed = async (app: TestApp, name: string): Promise<void> => {
    const zone = await app.request("POST", "/zones", { body: { name } });
    assert.equal(zone.status, 200, zone.text);
    assert.equal("later" in zone.body.result, false);
    const { id } = zone.body.result;
    assert.equal((await app.request("PATCH", `/zones/${id}`, { body: { paused: true } })).status, 200);
    const { body } = await app.request("GET", "/zones");
    assert.equal(body.result.find((listed: { id: string }) => listed.id === id).paused, true);
    const policies = [
      {
        effect: "allow",
        resources: { "com.cloudflare.api.account.zone.*": "*" },
        permission_groups: [{ id: permissionGroupCatalogue.zone["Zone Read"] }],
      },
    ];
    const token = await app.request("POST", "/user/tokens", { body: { name, policies } });
    assert.equal(token.status, 200, token.text);
    const headers = { authorization: `Bearer ${token.body.result.value}` };
    assert.equal((await app.request("GET", `/zones/${id}`, { headers })).status, 200);
  };

  test("is served by an earlier one, which was running or starts on it, and keeps what the later one added", async (t) => {
    const app = await startTestApp(t, engine);
    await isServed(app, "before.example");
    await addColumns(app);
    await isServed(app, "running.example");
    await app.restart();
    await isServed(app, "started.example");
    const names = await besideServer(app, (tx) =>
      sql<{ name: string }>`select name from migrations where name = ${later}`.execute(tx),
    );
    assert.equal(names.rows.length, 1);
  });
});
