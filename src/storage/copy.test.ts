import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";

import { sql } from "kysely";

import { openTestDatabase, startOfTime, type Engine } from "../../test/support/harness.ts";
import { addRow, rowNames } from "../../test/support/rows.ts";
import { toTimestamp } from "./columns.ts";
import { copyStore } from "./copy.ts";
import type { Database } from "./database.ts";
import { openDatabase } from "./open-database.ts";
import { isUnfinishedCopy } from "./unfinished-copies.ts";

const startedOn = toTimestamp(startOfTime);
const silent = { startedOn, tell: () => undefined };
const ways: readonly (readonly [from: Engine, to: Engine])[] = [
  ["sqlite", "postgres"],
  ["postgres", "sqlite"],
];

async function addRows(db: Database, count: number, prefix = "row"): Promise<void> {
  await db.transaction(async (tx) => {
    for (let index = 0; index < count; index += 1) {
      await addRow(tx, `${prefix} ${String(index).padStart(4, "0")}`);
    }
  });
}

async function openBoth(t: TestContext, from: Engine, to: Engine): Promise<readonly [Database, Database]> {
  return [await openTestDatabase(t, from), await openTestDatabase(t, to)];
}

for (const [engine, other] of ways) {
  describe(`a copy from ${engine} to ${other}`, () => {
    test("has every row, tells how far it is, and leaves no mark", async (t) => {
      const [from, to] = await openBoth(t, engine, other);
      await addRows(from, 450);
      const told: number[] = [];
      const copied = await copyStore(from, to, {
        startedOn,
        tell: ({ rowsDone }) => void told.push(rowsDone),
      });
      assert.deepEqual(await rowNames(to.read), await rowNames(from.read));
      assert.deepEqual(told, [200, 400, 450]);
      const accounts = copied.find(({ table }) => table === "accounts");
      assert.equal(accounts?.rows, 450);
      assert.match(accounts.checksum, /^[0-9a-f]{64}$/);
      assert.equal(await isUnfinishedCopy(to.read), false);
    });

    test("that was cut short goes on, also when the source was changed meanwhile", async (t) => {
      const [from, to] = await openBoth(t, engine, other);
      await addRows(from, 650);
      const isCut = new Error("cut short");
      const cut = copyStore(from, to, {
        startedOn,
        tell: ({ rowsDone }) => {
          if (rowsDone === 400) throw isCut;
        },
      });
      await assert.rejects(cut, isCut);
      assert.equal((await rowNames(to.read)).length, 400);
      assert.equal(await isUnfinishedCopy(to.read), true);

      await from.transaction(async (tx) => {
        await tx.deleteFrom("accounts").where("id", "=", "row 0007").execute();
        await tx.updateTable("accounts").set({ name: "changed" }).where("id", "=", "row 0250").execute();
        await addRow(tx, "another row");
      });
      // A row behind the last one of the source.
      await to.transaction((tx) => addRow(tx, "zzz"));
      await copyStore(from, to, silent);
      const names = await rowNames(to.read);
      assert.deepEqual(names, await rowNames(from.read));
      assert.equal(names.length, 650);
      assert.equal(await isUnfinishedCopy(to.read), false);
    });

    test("has one state of a source that is written meanwhile", async (t) => {
      const [from, to] = await openBoth(t, engine, other);
      await addRows(from, 250);
      let hasWritten: Promise<void> | undefined;
      await copyStore(from, to, {
        startedOn,
        tell: () => void (hasWritten ??= addRows(from, 100, "sow")),
      });
      await hasWritten;
      assert.equal((await rowNames(to.read)).length, 250);
      assert.equal((await rowNames(from.read)).length, 350);
    });

    test("is refused by a target that is not empty, which stays as it is", async (t) => {
      const [from, to] = await openBoth(t, engine, other);
      await addRows(from, 3);
      await to.transaction((tx) => addRow(tx, "theirs"));
      await assert.rejects(copyStore(from, to, silent), { message: "the target is not empty" });
      assert.deepEqual(await rowNames(to.read), ["theirs"]);
      assert.equal(await isUnfinishedCopy(to.read), false);
    });

    test("that differs in the end is told, and stays unfinished", async (t) => {
      const [from, to] = await openBoth(t, engine, other);
      await addRows(from, 250);
      let change: Promise<void> | undefined;
      const copy = copyStore(from, to, {
        startedOn,
        tell: ({ rowsDone }) => {
          if (rowsDone === 200) change = to.transaction((tx) => addRow(tx, "theirs"));
        },
      });
      await assert.rejects(copy, {
        message: "accounts changed in the target during the copy: run it again",
      });
      await change;
      assert.equal(await isUnfinishedCopy(to.read), true);
      await copyStore(from, to, silent);
      assert.deepEqual(await rowNames(to.read), await rowNames(from.read));
    });

    test("between versions is refused: a row may have what the target does not know", async (t) => {
      const [from, to] = await openBoth(t, engine, other);
      await from.transaction((tx) =>
        sql`insert into migrations (name, applied_on) values ('9999-later', '2999-01-01T00:00:00.000Z')`.execute(
          tx,
        ),
      );
      await assert.rejects(copyStore(from, to, silent), /a later version of Zoneward/);
      assert.equal(await isUnfinishedCopy(to.read), false);
    });
  });
}

test("a store in memory has no snapshot", async (t) => {
  const db = await openDatabase({ engine: "memory" });
  t.after(() => db.close());
  await assert.rejects(
    db.snapshot(async () => undefined),
    /no second connection/,
  );
});
