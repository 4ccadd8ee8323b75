import assert from "node:assert/strict";
import { test } from "node:test";

import { sql } from "kysely";

import { AppError } from "../core/error.ts";
import { newLocation, onEachEngine, openTestDatabase, sharedDatabase } from "../../test/support/harness.ts";
import { addRow } from "../../test/support/rows.ts";
import type { DatabaseLocation } from "./database.ts";
import { openDatabase } from "./open-database.ts";
import { asUnavailable, isBusy, isTransientConflict, isUniqueViolation } from "./errors.ts";
import type { Db } from "./tables.ts";

async function errorOf(work: () => Promise<unknown>): Promise<unknown> {
  try {
    await work();
  } catch (error) {
    return error;
  }
  return assert.fail("it should have failed");
}

function kindsOf(error: unknown) {
  return {
    unique: isUniqueViolation(error),
    busy: isBusy(error),
    conflict: isTransientConflict(error),
    unavailable: asUnavailable(error) !== undefined,
  };
}

const none = { unique: false, busy: false, conflict: false, unavailable: false };

onEachEngine("errors of the store", (engine) => {
  const db = sharedDatabase(engine);
  const inTransaction = (work: (tx: Db) => Promise<unknown>) => errorOf(() => db.transaction(work));

  test("a second row with the same primary key or the same unique column is a unique violation", async () => {
    await db.transaction((tx) => addRow(tx, "a"));
    const byKey = await inTransaction((tx) => addRow(tx, "a"));
    const byColumn = await inTransaction(async (tx) => {
      await sql`create table pairs (id text primary key, name text unique)`.execute(tx);
      await sql`insert into pairs values ('1', 'same')`.execute(tx);
      await sql`insert into pairs values ('2', 'same')`.execute(tx);
    });
    for (const error of [byKey, byColumn]) assert.deepEqual(kindsOf(error), { ...none, unique: true });
  });

  const issues: Readonly<Record<string, string>> = {
    "a missing table": "select * from nothing",
    "bad syntax": "selec 1",
    "null in a column that must have a value": "insert into accounts (id) values ('x')",
    "a reference to nothing": "insert into tokens values ('t', 'nobody', 'n', 'active', 'h', '2026', '2026')",
  };
  for (const [title, query] of Object.entries(issues)) {
    test(`${title} is a fault of ours: no violation, no conflict, not unavailable`, async () => {
      assert.deepEqual(kindsOf(await inTransaction((tx) => sql.raw(query).execute(tx))), none);
    });
  }
});

for (const code of ["EADDRNOTAVAIL", "EAGAIN", "EMFILE", "ENFILE", "ENOBUFS", "ENOMEM"]) {
  test(`a database is unavailable where the system has nothing left to connect with: ${code}`, () => {
    const error = Object.assign(new Error(`connect ${code} 127.0.0.1:5432`), { code, syscall: "connect" });
    assert.deepEqual(kindsOf(error), { ...none, unavailable: true });
  });
}

const unreachable: Readonly<Record<string, DatabaseLocation>> = {
  "nobody listens there": { engine: "postgres", url: "postgres://127.0.0.1:1/x" },
  "its name is nobody's": { engine: "postgres", url: "postgres://nobody.invalid/x" },
  "its socket is not there": { engine: "postgres", url: "postgres:///x?host=/nowhere" },
};
for (const [title, location] of Object.entries(unreachable)) {
  test(`a PostgreSQL server is unavailable when ${title}`, async (t) => {
    const db = await openDatabase(location);
    t.after(() => db.close());
    for (const work of [() => db.ping(), () => db.transaction((tx) => addRow(tx, "a"))]) {
      assert.deepEqual(kindsOf(await errorOf(work)), { ...none, unavailable: true });
    }
  });
}

test("a PostgreSQL database or user that does not exist is unavailable", async (t) => {
  const location = await newLocation(t, "postgres");
  assert.ok(location.engine === "postgres");
  const missing = new URL(location.url);
  missing.pathname = "/no_such_database";
  const stranger = new URL(location.url);
  stranger.username = "nobody";
  for (const { href } of [missing, stranger]) {
    const db = await openDatabase({ engine: "postgres", url: href });
    t.after(() => db.close());
    assert.deepEqual(kindsOf(await errorOf(() => db.ping())), { ...none, unavailable: true });
  }
});

test("PostgreSQL transactions that lock each other out are run again, and both succeed", async (t) => {
  const db = await openTestDatabase(t, "postgres");
  await db.transaction(async (tx) => {
    await addRow(tx, "a");
    await addRow(tx, "b");
  });
  const bothHold = Promise.withResolvers<void>();
  let holding = 0;
  let runs = 0;
  const renameBoth = (first: string, second: string) =>
    db.transaction(async (tx) => {
      runs += 1;
      await sql`set local deadlock_timeout = '10ms'`.execute(tx);
      const rename = (id: string) =>
        tx.updateTable("accounts").set({ name: first }).where("id", "=", id).execute();
      await rename(first);
      holding += 1;
      if (holding === 2) bothHold.resolve();
      await bothHold.promise;
      await rename(second);
    });
  await Promise.all([renameBoth("a", "b"), renameBoth("b", "a")]);
  assert.equal(runs, 3);
  const names = await db.read.selectFrom("accounts").select("name").distinct().execute();
  assert.equal(names.length, 1);
});

test("what a client did is not a failure of the store", () => {
  const hungUp = Object.assign(new Error("aborted"), { code: "ECONNRESET" });
  for (const error of [hungUp, new AppError("invalid", 1, "no"), new Error("no"), "no", undefined, null]) {
    assert.deepEqual(kindsOf(error), none);
  }
});
