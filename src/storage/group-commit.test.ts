import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { describe, test, type TestContext } from "node:test";

import { sql } from "kysely";

import { newLocation, startTestApp } from "../../test/support/harness.ts";
import { accountRow, addRow, rowNames } from "../../test/support/rows.ts";
import type { Database } from "./database.ts";
import { openDatabase } from "./open-database.ts";
import { isBusy, isUniqueViolation } from "./errors.ts";
import type { Db } from "./tables.ts";

interface Store {
  readonly db: Database;
  /** A connection of another process. */
  readonly other: DatabaseSync;
  readonly commits: () => number;
}

async function openStore(t: TestContext, lockWaitMs?: number): Promise<Store> {
  const location = await newLocation(t, "sqlite");
  assert.ok(location.engine === "sqlite");
  const db = await openDatabase(location, { lockWaitMs });
  t.after(() => db.close());
  await db.migrate();
  const other = new DatabaseSync(location.file, { timeout: 0 });
  t.after(() => other.close());
  return { db, other, commits: () => commitsIn(`${location.file}-wal`) };
}

/** Commits in a write-ahead log: frames whose header tells the size of the database after them. */
function commitsIn(file: string): number {
  const log = readFileSync(file);
  const frameBytes = 24 + log.readUInt32BE(8);
  let commits = 0;
  for (let frame = 32; frame < log.length; frame += frameBytes) {
    if (log.readUInt32BE(frame + 4) > 0) commits += 1;
  }
  return commits;
}

const countOf = (connection: DatabaseSync): unknown =>
  connection.prepare("select count(*) as n from accounts").get()?.["n"];

const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `row ${1000 + index}`);

describe("group commit", () => {
  test("operations that arrive together share one commit", async (t) => {
    const { db, commits } = await openStore(t);
    const before = commits();
    await Promise.all(names(50).map((name) => db.transaction((tx) => addRow(tx, name))));
    assert.equal(commits() - before, 1);
    assert.deepEqual(await rowNames(db.read), names(50));
  });

  test("a commit is shared by 256 at most, so that the first do not wait for ever", async (t) => {
    const { db, commits } = await openStore(t);
    const before = commits();
    await Promise.all(names(257).map((name) => db.transaction((tx) => addRow(tx, name))));
    assert.equal(commits() - before, 2);
    assert.deepEqual(await rowNames(db.read), names(257));
  });

  test("nobody is answered before the commit that makes all of them durable", async (t) => {
    const { db, other } = await openStore(t);
    const seen = await Promise.all(
      names(20).map(async (name) => {
        await db.transaction((tx) => addRow(tx, name));
        return countOf(other);
      }),
    );
    assert.deepEqual(new Set(seen), new Set([20]));
    for (const pragma of ["synchronous", "journal_mode"]) {
      const shown = await db.transaction((tx) =>
        sql.raw<Record<string, unknown>>(`pragma ${pragma}`).execute(tx),
      );
      assert.deepEqual(Object.values(shown.rows[0] ?? {}), [pragma === "synchronous" ? 2 : "wal"]);
    }
  });

  test("a failing operation rolls back itself alone, and each hears its own error", async (t) => {
    const { db, commits } = await openStore(t);
    const before = commits();
    const outcomes = await Promise.allSettled([
      db.transaction((tx) => addRow(tx, "a")),
      db.transaction(async (tx) => {
        await addRow(tx, "gone");
        throw new Error("thought better of it");
      }),
      db.transaction(async (tx) => {
        await addRow(tx, "gone as well");
        await addRow(tx, "a");
      }),
      db.transaction((tx) => rowNames(tx)),
      db.transaction((tx) => addRow(tx, "b")),
    ]);
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ["fulfilled", "rejected", "rejected", "fulfilled", "fulfilled"],
    );
    const [, own, unique, listed] = outcomes;
    assert.match(String(own?.status === "rejected" && own.reason), /thought better of it/);
    assert.ok(unique?.status === "rejected" && isUniqueViolation(unique.reason));
    assert.deepEqual(listed?.status === "fulfilled" && listed.value, ["a"]);
    assert.deepEqual(await rowNames(db.read), ["a", "b"]);
    assert.equal(commits() - before, 1);
  });

  test("runs each operation once while none fails that has written", async (t) => {
    const { db, commits } = await openStore(t);
    const before = commits();
    const runs: string[] = [];
    const noting = (name: string, work: (tx: Db) => Promise<unknown>) =>
      db.transaction(async (tx) => {
        runs.push(name);
        await work(tx);
      });
    const outcomes = await Promise.allSettled([
      noting("writes", (tx) => addRow(tx, "a")),
      noting("is refused", async () => assert.fail("not today")),
      noting("writes as well", (tx) => addRow(tx, "b")),
    ]);
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ["fulfilled", "rejected", "fulfilled"],
    );
    assert.deepEqual(runs, ["writes", "is refused", "writes as well"]);
    assert.deepEqual(await rowNames(db.read), ["a", "b"]);
    assert.equal(commits() - before, 1);
  });

  test("an operation that runs again, as another one failed, is told of once and runs no third time", async (t) => {
    const { db } = await openStore(t);
    const told: string[] = [];
    db.onChange((changes) => told.push(...(changes?.zones.keys() ?? [])));
    const runs = new Map<string, number>();
    const write = (name: string, isRefused = false) =>
      db.transaction(async (tx, publication) => {
        const run = (runs.get(name) ?? 0) + 1;
        runs.set(name, run);
        publication.zone(`${name} ${run}`);
        await addRow(tx, name);
        assert.ok(!isRefused);
      });
    const outcomes = await Promise.allSettled([
      write("a"),
      write("gone", true),
      write("b"),
      write("gone as well", true),
      write("c"),
    ]);
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ["fulfilled", "rejected", "fulfilled", "rejected", "fulfilled"],
    );
    assert.deepEqual(told, ["a 2", "b 1", "c 1"]);
    assert.deepEqual(Object.fromEntries(runs), { a: 2, gone: 2, b: 1, "gone as well": 1, c: 1 });
    assert.deepEqual(await rowNames(db.read), ["a", "b", "c"]);
  });

  const endings = {
    "a commit that fails": async (db: Database) =>
      db.transaction(async (tx) => {
        await sql`pragma defer_foreign_keys = on`.execute(tx);
        const { created_on: hold_after } = accountRow("");
        await tx
          .insertInto("zone_holds")
          .values({ zone_id: "none", hold_after, include_subdomains: 0 })
          .execute();
      }),
    "an error that ends the transaction, as a full disk does": async (db: Database) =>
      db.transaction(async (tx) => {
        const { id, name, name_folded, created_on } = accountRow("earlier");
        await sql`insert or rollback into accounts (id, name, name_folded, created_on)
          values (${id}, ${name}, ${name_folded}, ${created_on})`.execute(tx);
      }),
  };
  for (const [title, fail] of Object.entries(endings)) {
    test(`${title} leaves nothing of those that share it, and tells each of them`, async (t) => {
      const { db } = await openStore(t);
      await db.transaction((tx) => addRow(tx, "earlier"));
      const outcomes = await Promise.allSettled([
        db.transaction((tx) => addRow(tx, "a")),
        fail(db),
        db.transaction((tx) => addRow(tx, "b")),
      ]);
      const [first, failed] = outcomes;
      assert.ok(first?.status === "rejected" && failed?.status === "rejected");
      assert.equal(first.reason, failed.reason);
      assert.ok(!(await rowNames(db.read)).includes("a"));

      await db.transaction((tx) => addRow(tx, "c"));
      assert.ok((await rowNames(db.read)).includes("c"));
    });
  }

  test("a write on a closed store is refused and ends nothing else", async (t) => {
    const location = await newLocation(t, "sqlite");
    const db = await openDatabase(location);
    await db.migrate();
    await db.close();
    await assert.rejects(() => db.transaction((tx) => addRow(tx, "late")), /database is not open/);
  });

  test("closing waits for the writes that were begun", async (t) => {
    const location = await newLocation(t, "sqlite");
    const db = await openDatabase(location);
    await db.migrate();
    const writes = names(20).map((name) => db.transaction((tx) => addRow(tx, name)));
    await db.close();
    await Promise.all(writes);
  });
});

describe("a write lock that another process holds", () => {
  test("makes writes wait, not reads, and then they succeed", async (t) => {
    const { db, other } = await openStore(t, 600_000);
    other.exec("begin immediate");
    let written = false;
    const write = db.transaction((tx) => addRow(tx, "waited")).then(() => (written = true));
    for (let read = 0; read < 100; read += 1) {
      assert.deepEqual(await rowNames(db.read), []);
      await new Promise(setImmediate);
    }
    assert.equal(written, false);
    other.exec("commit");
    await write;
    assert.deepEqual(await rowNames(db.read), ["waited"]);
  });

  test("held past the limit it fails those that waited, and nobody later", async (t) => {
    const { db, other } = await openStore(t, 20);
    other.exec("begin immediate");
    const outcomes = await Promise.allSettled(
      names(3).map((name) => db.transaction((tx) => addRow(tx, name))),
    );
    assert.ok(outcomes.every((outcome) => outcome.status === "rejected" && isBusy(outcome.reason)));
    other.exec("commit");
    await db.transaction((tx) => addRow(tx, "later"));
    assert.deepEqual(await rowNames(db.read), ["later"]);
  });

  test("is 503 code 10503 for a request, which leaves nothing and succeeds when it comes again", async (t) => {
    const app = await startTestApp(t, "sqlite", {}, { lockWaitMs: 20 });
    const other = new DatabaseSync(`${app.config.data}/zoneward.sqlite`);
    t.after(() => other.close());
    const create = () => app.request("POST", "/zones", { body: { name: "example.com" } });
    const list = () => app.request("GET", "/zones");

    other.exec("begin immediate");
    const refused = await create();
    assert.equal(refused.status, 503);
    assert.deepEqual(refused.body, {
      result: null,
      success: false,
      errors: [{ code: 10503, message: "The database is not available at the moment. Please try again." }],
      messages: [],
    });
    assert.deepEqual((await list()).body.result, []);

    other.exec("commit");
    assert.deepEqual((await list()).body.result, []);
    assert.equal((await create()).status, 200);
    assert.equal((await list()).body.result.length, 1);
  });
});
