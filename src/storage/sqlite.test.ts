import assert from "node:assert/strict";
import { existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, test } from "node:test";

import { sql } from "kysely";

import { newDirectory, openTestDatabase, startTestApp } from "../../test/support/harness.ts";
import { addRow, rowNames } from "../../test/support/rows.ts";
import type { Database } from "./database.ts";
import { openDatabase } from "./open-database.ts";

describe("a SQLite file", () => {
  test("is made with its directory, and nobody but its owner may read any of it", async (t) => {
    const file = join(newDirectory(t), "new", "zoneward.sqlite");
    const db = await openDatabase({ engine: "sqlite", file });
    t.after(() => db.close());
    await db.migrate();
    assert.equal(statSync(dirname(file)).mode & 0o777, 0o700);
    for (const name of ["zoneward.sqlite", "zoneward.sqlite-wal", "zoneward.sqlite-shm"]) {
      assert.equal(statSync(join(dirname(file), name)).mode & 0o777, 0o600, name);
    }
  });

  test("refuses a reference to a row that is not there", async (t) => {
    const db = await openTestDatabase(t, "sqlite");
    const insert = sql`insert into zone_holds values ('nowhere', null, 0)`;
    await assert.rejects(
      db.transaction((tx) => insert.execute(tx)),
      /FOREIGN KEY constraint failed/,
    );
  });

  test("cannot be written past the writer", async (t) => {
    const db = await openTestDatabase(t, "sqlite");
    await assert.rejects(addRow(db.read, "a"), /attempt to write a readonly database/);
  });
});

async function openInMemory(): Promise<Database> {
  const db = await openDatabase({ engine: "memory" });
  await db.migrate();
  return db;
}

describe("a store in memory", () => {
  test("shows readers nothing that is not committed, and nothing that is rolled back", async (t) => {
    const db = await openInMemory();
    t.after(() => db.close());
    const seen: string[][] = [];
    const look = async (): Promise<void> => void seen.push(await rowNames(db.read));
    const looking: Promise<void>[] = [];
    const write = (name: string, ending: "commit" | "roll back") =>
      db.transaction(async (tx) => {
        await addRow(tx, `${name} 1`);
        await addRow(tx, `${name} 2`);
        if (ending === "roll back") throw new Error("thought better of it");
      });
    for (let round = 0; round < 20; round += 1) {
      looking.push(look());
      const written = write(`row ${round}`, round % 2 === 0 ? "commit" : "roll back").catch(() => undefined);
      looking.push(look());
      await Promise.resolve();
      looking.push(look(), written);
      await new Promise(setImmediate);
      looking.push(look());
    }
    await Promise.all(looking);
    assert.equal(seen.length, 80);
    for (const names of seen) {
      assert.equal(names.length % 2, 0, names.join());
      assert.ok(
        names.every((name) => /^row \d*[02468] /.test(name)),
        names.join(),
      );
    }
    assert.equal((await rowNames(db.read)).length, 20);
  });

  test("refuses the outer database inside a transaction, instead of waiting for itself", async (t) => {
    const db = await openInMemory();
    t.after(() => db.close());
    await assert.rejects(
      db.transaction(async (tx) => {
        await addRow(tx, "gone");
        await rowNames(db.read);
      }),
      /the outer database was used inside a transaction/,
    );
    assert.deepEqual(await rowNames(db.read), []);
  });

  test("serves the API and leaves nothing on the disk", async (t) => {
    const app = await startTestApp(t, "sqlite", { ephemeral: true });
    const zone = await app.createZone("example.com");
    const batch = await app.request("POST", `/zones/${zone}/dns_records/batch`, {
      body: {
        posts: [
          { type: "A", name: "a", content: "192.0.2.1", ttl: 1 },
          { type: "A", name: "b", content: "no address", ttl: 1 },
        ],
      },
    });
    assert.equal(batch.status, 400);
    const records = await app.request("GET", `/zones/${zone}/dns_records`);
    assert.deepEqual(records.body.result, []);

    assert.deepEqual(readdirSync(app.config.data), []);
    assert.ok(!existsSync(":memory:"));
    await app.restart();
    assert.deepEqual((await app.request("GET", "/zones")).body.result, []);
  });
});
