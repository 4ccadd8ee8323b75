import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import { connectionWaitMs, newLocation, onEachEngine, type Engine } from "../../../test/support/harness.ts";
import { accountRow } from "../../../test/support/rows.ts";
import { checkStore } from "../check.ts";
import { postgresColumns, sqliteColumns, toTimestamp } from "../columns.ts";
import type { Database } from "../database.ts";
import { openDatabase } from "../open-database.ts";
import type { ZoneRow } from "../tables/zones.ts";
import { migrationNames } from "./applied.ts";
import { schemaChanges } from "./index.ts";

const migration = "0077-zone-names";
const activated = toTimestamp(new Date("2026-01-02T03:04:05.678Z"));
const later = toTimestamp(new Date("2026-01-02T04:00:00Z"));

/** A store as the version before left it. */
async function openEarlier(t: TestContext, engine: Engine): Promise<Database> {
  const db = await openDatabase(await newLocation(t, engine), { connectionWaitMs });
  t.after(() => db.close());
  const columns = engine === "postgres" ? postgresColumns : sqliteColumns;
  await db.transaction(async (tx) => {
    await tx.schema
      .createTable("kysely_migration")
      .addColumn("name", "varchar(255)", (column) => column.notNull().primaryKey())
      .addColumn("timestamp", "varchar(255)", (column) => column.notNull())
      .execute();
    for (const name of migrationNames.slice(0, migrationNames.indexOf(migration))) {
      await schemaChanges[name](tx, columns);
      await tx
        .insertInto("kysely_migration" as "zones")
        .values({ name, timestamp: activated } as never)
        .execute();
    }
  });
  return db;
}

onEachEngine("the migration of zone names", (engine) => {
  test("keeps zones with all that is in them, and marks those below another account's to be judged", async (t) => {
    const db = await openEarlier(t, engine);
    const zone = (id: string, account_id: string, name: string, change: Partial<ZoneRow> = {}) => ({
      id,
      account_id,
      name,
      type: "full",
      status: "active",
      paused: 0,
      plan: "free",
      vanity_name_servers: "[]",
      dns_record_count: 0,
      dns_records_version: 0,
      waf: "new",
      created_on: activated,
      modified_on: activated,
      activated_on: activated,
      checked_on: activated,
      ...change,
    });
    await db.transaction(async (tx) => {
      await tx
        .insertInto("accounts")
        .values([accountRow("a"), accountRow("b")])
        .execute();
      const zones = [
        zone("upper", "a", "example.com"),
        zone("own", "a", "shop.example.com", { activated_on: later }),
        zone("lower", "b", "login.example.com", { activated_on: later }),
        zone("pending", "b", "x.example.com", { status: "pending", activated_on: null }),
      ];
      await tx
        .insertInto("zones")
        .values(zones as never)
        .execute();
      await tx
        .insertInto("zone_settings")
        .values({ zone_id: "lower", setting: "ipv6", value: '"off"' as never, modified_on: activated })
        .execute();
    });
    await db.migrate();
    const rows = await db.read
      .selectFrom("zones")
      .select(["id", "activation_order", "check_due", "subdomain_consents"])
      .orderBy("id")
      .execute();
    assert.deepEqual(rows, [
      { id: "lower", activation_order: 2, check_due: 1, subdomain_consents: null },
      { id: "own", activation_order: 3, check_due: 0, subdomain_consents: null },
      { id: "pending", activation_order: null, check_due: 0, subdomain_consents: null },
      { id: "upper", activation_order: 1, check_due: 0, subdomain_consents: null },
    ]);
    const findings = await checkStore(db, () => "");
    assert.deepEqual(
      findings.flatMap(({ issues }) => issues),
      [],
    );

    const add = (row: object) =>
      db.transaction((tx) =>
        tx
          .insertInto("zones")
          .values(row as never)
          .execute(),
      );
    await add(zone("again", "b", "example.com", { status: "pending" }));
    await assert.rejects(add(zone("twice", "b", "example.com", { status: "pending" })));
    await assert.rejects(
      db.transaction((tx) =>
        tx.updateTable("zones").set({ status: "active" }).where("id", "=", "again").execute(),
      ),
    );
    const versionOf = async (): Promise<number | undefined> =>
      (
        await db.read.selectFrom("edge_versions").select("version").where("zone_id", "=", "upper").execute()
      )[0]?.version;
    await db.transaction((tx) =>
      tx
        .updateTable("zones")
        .set({ subdomain_consents: "[]" as never })
        .where("id", "=", "upper")
        .execute(),
    );
    assert.notEqual(await versionOf(), undefined, "edges hear of consents");
    await db.transaction((tx) => tx.deleteFrom("zones").where("id", "=", "lower").execute());
    assert.deepEqual(await db.read.selectFrom("zone_settings").selectAll().execute(), []);
  });
});
