import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";

import { sql } from "kysely";

import { newLocation } from "../../test/support/harness.ts";
import { accountRow, addRow, rowNames } from "../../test/support/rows.ts";
import type { Database } from "./database.ts";
import { isUniqueViolation } from "./errors.ts";
import { openDatabase } from "./open-database.ts";
import { insertion } from "./statement.ts";
import type { Db } from "./tables.ts";

const insertAccount = insertion("accounts");
const statuses = (outcomes: readonly PromiseSettledResult<unknown>[]) => outcomes.map(({ status }) => status);

async function openStore(t: TestContext): Promise<Database> {
  const db = await openDatabase(await newLocation(t, "postgres"));
  t.after(() => db.close());
  await db.migrate();
  return db;
}

async function transactionOf(tx: Db): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`select pg_current_xact_id()::text as id`.execute(tx);
  return rows[0]?.id;
}

describe("transactions of one group on PostgreSQL", () => {
  test("share one commit where they wait for each other, and none with another group", async (t) => {
    const db = await openStore(t);
    const names = Array.from({ length: 20 }, (_, n) => `row ${10 + n}`);
    const ids = await Promise.all(
      names.map((name, n) =>
        db.transaction(
          async (tx) => {
            await addRow(tx, name);
            return transactionOf(tx);
          },
          n % 2 === 0 ? "a" : "b",
        ),
      ),
    );
    const [ofA, ofB] = [0, 1].map((rest) => new Set(ids.filter((_, n) => n % 2 === rest)));
    assert.ok(ofA !== undefined && ofB !== undefined && ofA.isDisjointFrom(ofB));
    // Ten are one transaction, unless a machine is so slow that it takes too long.
    assert.ok(ofA.size < 10 && ofB.size < 10);
    assert.deepEqual(await rowNames(db.read), names);
  });

  test("see what those before them did, and answer once it is durable", async (t) => {
    const db = await openStore(t);
    const seen = await Promise.all(
      ["a", "b", "c"].map(async (name) => {
        const inside = await db.transaction(async (tx) => {
          await addRow(tx, name);
          return rowNames(tx);
        }, "zone");
        return { inside, after: await rowNames(db.read) };
      }),
    );
    assert.deepEqual(
      seen.map(({ inside }) => inside),
      [["a"], ["a", "b"], ["a", "b", "c"]],
    );
    for (const { after } of seen) assert.deepEqual(after, ["a", "b", "c"]);
  });

  test("run once each where one is refused that has not written", async (t) => {
    const db = await openStore(t);
    const runs: string[] = [];
    const run = (name: string, work: (tx: Db) => Promise<unknown>) =>
      db.transaction((tx) => {
        runs.push(name);
        return work(tx);
      }, "zone");
    const outcomes = await Promise.allSettled([
      run("writes", (tx) => addRow(tx, "a")),
      run("is refused", async (tx) => assert.deepEqual(await rowNames(tx), [])),
      run("writes as well", (tx) => addRow(tx, "b")),
    ]);
    assert.deepEqual(statuses(outcomes), ["fulfilled", "rejected", "fulfilled"]);
    assert.deepEqual(runs, ["writes", "is refused", "writes as well"]);
    assert.deepEqual(await rowNames(db.read), ["a", "b"]);
  });

  test("stay where one fails that has written, of which nothing stays, and are told of once", async (t) => {
    const db = await openStore(t);
    const told: string[] = [];
    db.onChange((changes) => told.push(...(changes?.zones.keys() ?? [])));
    const write = (name: string, isRefused = false) =>
      db.transaction(async (tx, publication) => {
        publication.zone(`changed ${name}`);
        await addRow(tx, name);
        assert.ok(!isRefused, "not today");
      }, "zone");
    const outcomes = await Promise.allSettled([
      write("a"),
      write("gone", true),
      write("b"),
      write("gone as well", true),
    ]);
    assert.deepEqual(statuses(outcomes), ["fulfilled", "rejected", "fulfilled", "rejected"]);
    for (const one of outcomes) {
      if (one.status === "rejected") assert.match(String(one.reason), /not today/);
    }
    assert.deepEqual(await rowNames(db.read), ["a", "b"]);
    assert.deepEqual(
      told.filter((zone) => zone.startsWith("changed")),
      ["changed a", "changed b"],
    );
  });

  test("stay where a statement fails that nobody waited for, whose error its own operation hears", async (t) => {
    const db = await openStore(t);
    const insert = (name: string) =>
      db.transaction(async (tx) => {
        await insertAccount(tx, accountRow(name));
        return name;
      }, "zone");
    const outcomes = await Promise.allSettled([insert("a"), insert("b"), insert("a"), insert("c")]);
    assert.deepEqual(statuses(outcomes), ["fulfilled", "fulfilled", "rejected", "fulfilled"]);
    const [, , failed] = outcomes;
    assert.ok(failed?.status === "rejected" && isUniqueViolation(failed.reason));
    assert.deepEqual(await rowNames(db.read), ["a", "b", "c"]);
  });

  test("do not wait for those of another group, which wait for a lock", async (t) => {
    const db = await openStore(t);
    await db.transaction((tx) => addRow(tx, "locked"));
    const lock = (tx: Db) =>
      tx.selectFrom("accounts").select("id").where("id", "=", "locked").forUpdate().execute();
    const held = Promise.withResolvers<void>();
    const isHeld = Promise.withResolvers<void>();
    const holding = db.transaction(async (tx) => {
      await lock(tx);
      isHeld.resolve();
      await held.promise;
    });
    await isHeld.promise;
    let hasWaited = false;
    const waiting = db.transaction(lock, "waits").finally(() => (hasWaited = true));
    for (const name of ["a", "b"]) await db.transaction((tx) => addRow(tx, name), "does not");
    assert.equal(hasWaited, false);
    held.resolve();
    await Promise.all([holding, waiting]);
    assert.deepEqual(await rowNames(db.read), ["a", "b", "locked"]);
  });
});
