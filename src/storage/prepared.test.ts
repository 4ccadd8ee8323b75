import assert from "node:assert/strict";
import { test } from "node:test";

import { onEachEngine, sharedDatabase } from "../../test/support/harness.ts";
import { accountRow, addRow, rowNames } from "../../test/support/rows.ts";
import { prepare } from "./prepared.ts";
import type { AccountRow } from "./tables.ts";

onEachEngine("prepare", (engine) => {
  const db = sharedDatabase(engine);

  test("puts each argument in every place that names it", async () => {
    await db.transaction(async (tx) => {
      for (const name of ["a", "b", "c", "d"]) await addRow(tx, name);
    });
    const around = prepare<{ name: string; most: number; skipped: number }, Pick<AccountRow, "name">>(
      (kysely, argument) =>
        kysely
          .selectFrom("accounts")
          .select("name")
          .where(({ or, eb }) => or([eb("name", "<", argument("name")), eb("name", ">", argument("name"))]))
          .where("name_folded", "!=", "d")
          .orderBy("name")
          .limit(argument("most"))
          .offset(argument("skipped")),
    );
    const namesAround = async (name: string, most: number, skipped: number): Promise<string[]> =>
      (await around(db.read, { name, most, skipped })).map((row) => row.name);
    assert.deepEqual(await namesAround("b", 9, 0), ["a", "c"]);
    assert.deepEqual(await namesAround("b", 1, 1), ["c"]);
    assert.deepEqual(await namesAround("x", 9, 0), ["a", "b", "c"]);
    assert.deepEqual(await namesAround("' or 1 = 1", 1, 0), ["a"]);
  });

  test("writes, null too, and works on a transaction as on the outer database", async () => {
    const insert = prepare<AccountRow & Record<string, string>, never>((kysely, argument) =>
      kysely.insertInto("accounts").values({
        id: argument("id"),
        name: argument("name"),
        name_folded: argument("name_folded"),
        created_on: argument("created_on"),
      }),
    );
    const describe = prepare<{ id: string; telephone: string | null }, never>((kysely, argument) =>
      kysely
        .updateTable("users")
        .set({ telephone: argument("telephone") })
        .where("id", "=", argument("id")),
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
      await insert(tx, { ...accountRow("a") });
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
        await insert(tx, { ...accountRow("gone") });
        throw new Error("thought better of it");
      }),
    );
    assert.deepEqual(await rowNames(db.read), ["a"]);
  });

  test("builds the query once for readers and once for writers, however often it runs", async () => {
    let built = 0;
    const byName = prepare<{ name: string }, AccountRow>((kysely, argument) => {
      built += 1;
      return kysely.selectFrom("accounts").selectAll().where("name", "=", argument("name"));
    });
    for (const name of ["a", "b", "c"]) {
      assert.deepEqual(await byName(db.read, { name }), []);
      assert.deepEqual(await db.transaction((tx) => byName(tx, { name })), []);
    }
    assert.equal(built, 2);
  });

  test("gives each of many runs at the same time its own values", async () => {
    const rows = Array.from({ length: 30 }, (_, index) => `row ${index}`);
    await db.transaction(async (tx) => {
      for (const name of rows) await addRow(tx, name);
    });
    const byName = prepare<{ name: string }, AccountRow>((kysely, argument) =>
      kysely.selectFrom("accounts").selectAll().where("name", "=", argument("name")),
    );
    const found = await Promise.all(rows.map((name) => byName(db.read, { name })));
    assert.deepEqual(
      found.map(([row]) => row?.name),
      rows,
    );
  });
});
