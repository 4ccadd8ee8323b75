import assert from "node:assert/strict";
import { test } from "node:test";

import { onEachEngine, sharedDatabase } from "../../test/support/harness.ts";
import { accountRow, addRow, rowNames } from "../../test/support/rows.ts";
import { insertion, statement } from "./statement.ts";
import type { AccountRow } from "./schema/accounts.ts";

onEachEngine("a statement", (engine) => {
  const db = sharedDatabase(engine);

  test("gets each parameter in every place that names it", async () => {
    await db.transaction(async (tx) => {
      for (const name of ["a", "b", "c", "d"]) await addRow(tx, name);
    });
    const around = statement<{ name: string; most: number; skipped: number }, Pick<AccountRow, "name">>(`
      select name from accounts where (name < :name or name > :name) and name <> 'd'
      order by name limit :most offset :skipped`);
    const namesAround = async (name: string, most: number, skipped: number): Promise<string[]> =>
      (await around(db.read, { name, most, skipped })).map((row) => row.name);
    assert.deepEqual(await namesAround("b", 9, 0), ["a", "c"]);
    assert.deepEqual(await namesAround("b", 1, 1), ["c"]);
    assert.deepEqual(await namesAround("x", 9, 0), ["a", "b", "c"]);
    assert.deepEqual(await namesAround("' or 1 = 1", 1, 0), ["a"]);
  });

  test("writes, null too, and takes part in the transaction", async () => {
    const insertAccount = insertion("accounts");
    const describe = statement<{ id: string; telephone: string | null }>(
      "update users set telephone = :telephone where id = :id",
    );
    const { created_on } = accountRow("");
    const nothing = { first_name: null, last_name: null, country: null, zipcode: null };
    const user = {
      id: "u",
      email: "a@b",
      email_folded: "a@b",
      username: "u",
      telephone: "1",
      key_hash: "k",
      ...nothing,
    };
    await db.transaction(async (tx) => {
      await insertAccount(tx, accountRow("a"));
      await tx
        .insertInto("users")
        .values({ ...user, created_on, modified_on: created_on })
        .execute();
      await describe(tx, { id: "u", telephone: null });
      assert.deepEqual(await rowNames(tx), ["a"]);
    });
    assert.deepEqual(await rowNames(db.read), ["a"]);
    const users = await db.read.selectFrom("users").select("telephone").execute();
    assert.deepEqual(
      users.map(({ telephone }) => telephone),
      [null],
    );
    await assert.rejects(
      db.transaction(async (tx) => {
        await insertAccount(tx, accountRow("gone"));
        throw new Error("thought better of it");
      }),
    );
    assert.deepEqual(await rowNames(db.read), ["a"]);
  });

  test("that locks rows is read on either engine", async () => {
    const locked = statement<{ name: string }, AccountRow>(
      "select * from accounts where name = :name for update",
    );
    const { id } = await db.transaction(async (tx) => {
      await addRow(tx, "a");
      const [row] = await locked(tx, { name: "a" });
      assert.ok(row);
      return row;
    });
    assert.equal(id, accountRow("a").id);
  });

  test("gives each of many runs at the same time its own values", async () => {
    const rows = Array.from({ length: 30 }, (_, index) => `row ${index}`);
    await db.transaction(async (tx) => {
      for (const name of rows) await addRow(tx, name);
    });
    const byName = statement<{ name: string }, AccountRow>("select * from accounts where name = :name");
    const found = await Promise.all(rows.map((name) => byName(db.read, { name })));
    assert.deepEqual(
      found.map(([row]) => row?.name),
      rows,
    );
  });
});
