import assert from "node:assert/strict";
import { test } from "node:test";

import { newLocation, onEachEngine, sharedDatabase, until } from "../../test/support/harness.ts";
import { addRow, rowNames } from "../../test/support/rows.ts";
import { openDatabase } from "./open-database.ts";
import { isUniqueViolation } from "./errors.ts";
import { statement } from "./statement.ts";
import type { Db } from "./tables.ts";

const usedInside = /the outer database was used inside a transaction/;

onEachEngine("transaction", (engine) => {
  const db = sharedDatabase(engine);

  test("answers what the work answers, after its changes can be read", async () => {
    const answer = await db.transaction(async (tx) => {
      await addRow(tx, "a");
      return rowNames(tx);
    });
    assert.deepEqual(answer, ["a"]);
    assert.deepEqual(await rowNames(db.read), ["a"]);
  });

  test("leaves nothing when the work throws, and throws the same error", async () => {
    const error = new Error("thought better of it");
    const refused = db.transaction(async (tx) => {
      await addRow(tx, "gone");
      throw error;
    });
    await assert.rejects(refused, (thrown) => thrown === error);
    assert.deepEqual(await rowNames(db.read), []);
  });

  test("leaves nothing of its work when a unique index refuses a part of it", async () => {
    await db.transaction((tx) => addRow(tx, "a"));
    const refused = db.transaction(async (tx) => {
      await addRow(tx, "gone");
      await addRow(tx, "a");
    });
    await assert.rejects(refused, isUniqueViolation);
    assert.deepEqual(await rowNames(db.read), ["a"]);
  });

  test("shows nothing to readers before its end", async () => {
    const seen: string[][] = [];
    let hasEnded = false;
    const writing = db.transaction(async (tx) => {
      for (const name of ["a", "b", "c"]) await addRow(tx, name);
    });
    void writing.finally(() => (hasEnded = true));
    await until("the end of the transaction", async () => {
      seen.push(await rowNames(db.read));
      return hasEnded;
    });
    await writing;
    for (const names of seen) assert.ok(names.length === 0 || names.length === 3, names.join());
    assert.deepEqual(await rowNames(db.read), ["a", "b", "c"]);
  });

  const byName = statement<{ name: string }, { id: string }>("select id from accounts where name = :name");
  const misuses: Readonly<Record<string, (db: { read: Db }) => Promise<unknown>>> = {
    "a read": ({ read }) => rowNames(read),
    "a statement": ({ read }) => byName(read, { name: "a" }),
    "a write": ({ read }) => addRow(read, "never"),
    "a read of the schema": ({ read }) => read.introspection.getTables(),
  };
  for (const [title, misuse] of Object.entries(misuses)) {
    test(`${title} on the outer database fails at once inside it, instead of waiting for ever`, async () => {
      const refused = db.transaction(async (tx) => {
        await addRow(tx, "gone");
        await misuse(db);
      });
      await assert.rejects(refused, usedInside);
      assert.deepEqual(await rowNames(db.read), []);
    });
  }

  test("cannot be begun inside another one", async () => {
    for (const nested of [db.transaction, db.exclusiveTransaction]) {
      const refused = db.transaction(async (tx) => {
        await addRow(tx, "gone");
        await nested((inner) => addRow(inner, "gone as well"));
      });
      await assert.rejects(refused, usedInside);
    }
    assert.deepEqual(await rowNames(db.read), []);
  });

  test("that stands open hinders nobody outside it", async () => {
    const [, before, other] = await Promise.all([
      db.transaction((tx) => addRow(tx, "a")),
      rowNames(db.read),
      db.transaction((tx) => addRow(tx, "b")).then(() => rowNames(db.read)),
    ]);
    assert.ok(before.length <= 2);
    assert.ok(other.includes("b"));
  });
});

onEachEngine("exclusive transaction", (engine) => {
  test("of several connections to one store only one runs at a time", async (t) => {
    const location = await newLocation(t, engine);
    const stores = await Promise.all([1, 2, 3, 4].map(() => openDatabase(location)));
    t.after(() => Promise.all(stores.map((db) => db.close())));
    await stores[0]?.migrate();
    // Each looks first and writes then: two at once would both find nothing.
    const found = await Promise.all(
      stores.map((db, index) =>
        db.exclusiveTransaction(async (tx) => {
          const names = await rowNames(tx);
          await addRow(tx, `row ${index}`);
          return names.length;
        }),
      ),
    );
    assert.deepEqual(new Set(found), new Set([0, 1, 2, 3]));
  });
});
