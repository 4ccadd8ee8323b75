import assert from "node:assert/strict";
import { AsyncLocalStorage } from "node:async_hooks";
import { DatabaseSync } from "node:sqlite";
import { describe, test, type TestContext } from "node:test";

import { newLocation, until } from "../../test/support/harness.ts";
import { addRow, rowNames } from "../../test/support/rows.ts";
import type { Database, DatabaseLocation } from "./database.ts";
import { openDatabase, openDatabaseInTurns } from "./open-database.ts";

/** Runs work like another thread: it knows nothing of what goes on in this one. */
const elsewhere = AsyncLocalStorage.snapshot();

/** A store that is open twice, as two threads have it. */
async function openTwice(t: TestContext, location: DatabaseLocation): Promise<[Database, Database]> {
  const db = await openDatabase(location);
  t.after(() => db.close());
  await db.migrate();
  const second = await openDatabaseInTurns(db.location, (work) => elsewhere(() => db.lend(work)));
  t.after(() => second.close());
  return [db, second];
}

const addNext = (db: Database): Promise<void> =>
  db.transaction(async (tx) => {
    const names = await rowNames(tx);
    // A writer of this thread makes a row of the same name meanwhile.
    await new Promise(setImmediate);
    await addRow(tx, `row ${100 + names.length}`);
  });

for (const engine of ["memory", "sqlite"] as const) {
  const locationFor = async (t: TestContext): Promise<DatabaseLocation> =>
    engine === "memory" ? { engine } : newLocation(t, "sqlite");

  describe(`a store that two threads have open (${engine})`, () => {
    test("is written by one at a time, and each reads what the other wrote", async (t) => {
      const [db, second] = await openTwice(t, await locationFor(t));
      const stores = Array.from({ length: 40 }, (_, n) => (n % 3 === 0 ? second : db));
      await Promise.all(
        stores.flatMap((store, n) => [rowNames((n % 2 === 0 ? db : second).read), addNext(store)]),
      );
      const names = Array.from({ length: 40 }, (_, n) => `row ${100 + n}`);
      assert.deepEqual(await rowNames(db.read), names);
      assert.deepEqual(await rowNames(second.read), names);
    });

    test("keeps nothing of what fails in the other thread, and goes on", async (t) => {
      const [db, second] = await openTwice(t, await locationFor(t));
      const failing = second.transaction(async (tx) => {
        await addRow(tx, "gone");
        throw new Error("thought better of it");
      });
      const written = db.transaction((tx) => addRow(tx, "stays"));
      await assert.rejects(failing, /thought better of it/);
      await written;
      assert.deepEqual(await rowNames(second.read), ["stays"]);
    });
  });
}

describe("the log of a SQLite store", () => {
  test("is in the file when the turn of a thread that wrote much ends, whoever reads meanwhile", async (t) => {
    const location = await newLocation(t, "sqlite");
    assert.ok(location.engine === "sqlite");
    const [db, second] = await openTwice(t, location);
    await db.transaction((tx) => addRow(tx, "a"));
    const reader = new DatabaseSync(location.file);
    t.after(() => reader.close());
    const observer = new DatabaseSync(location.file);
    t.after(() => observer.close());
    const log = () => {
      const { log: pages, checkpointed } = observer.prepare("pragma wal_checkpoint(noop)").get() ?? {};
      return { pages: Number(pages), checkpointed: Number(checkpointed) };
    };
    reader.exec("begin; select count(*) from accounts");
    const name = "x".repeat(1_000_000);
    const written = second.transaction(async (tx) => {
      for (let n = 0; n < 20; n += 1) await addRow(tx, `${n} ${name}`);
    });
    await until("the log is long and waits for its reader", () => log().pages > 4_000);
    reader.exec("rollback");
    await written;
    const { pages, checkpointed } = log();
    assert.equal(checkpointed, pages);
  });
});
