import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";

import { sql } from "kysely";

import { insertRow } from "../src/storage/rows.ts";
import type { Db } from "../src/storage/tables.ts";
import { openTestDatabase } from "./support/harness.ts";
import { accountRow, addRow, rowNames } from "./support/rows.ts";

describe("engines that are compared", () => {
  /** The verdict on a transaction, and on a read after it. */
  const saidOf = async (work: (tx: Db) => Promise<unknown>): Promise<string> => {
    const ends: (() => Promise<void>)[] = [];
    const context = { after: (end: () => Promise<void>) => void ends.push(end) } as unknown as TestContext;
    const db = await openTestDatabase(context, "compared");
    await db.transaction(work).catch(() => undefined);
    await rowNames(db.read);
    try {
      for (const end of ends) await end();
      return "the same";
    } catch (error) {
      return String(error);
    }
  };
  const twice = async (tx: Db): Promise<void> => {
    await addRow(tx, "a");
    await insertRow(tx, "accounts", accountRow("a"));
  };

  test("answer the same where they agree, also on what is refused and undone", async () => {
    assert.equal(await saidOf((tx) => addRow(tx, "a")), "the same");
    assert.equal(await saidOf(twice), "the same");
  });

  test("differ by the order of rows, by text that is no number, and by a count that is no text", async () => {
    const nulls = sql`select column1 from (values (null), ('a')) as names order by column1`;
    assert.match(await saidOf((tx) => nulls.execute(tx)), /\n\[null\]\nwhere the other has\n\["a"\]/);
    assert.match(
      await saidOf((tx) => sql`select cast(${"1x"} as integer) as n`.execute(tx)),
      /PostgreSQL fails/,
    );
    assert.match(
      await saidOf((tx) => sql`select (count(*)) as n from users`.execute(tx)),
      /\n\[0\]\nwhere the other has\n\["0"\]/,
    );
  });

  test("differ by a statement that one of them lacks, and by one that follows a failed one", async () => {
    assert.match(
      await saidOf((tx) => sql`select typeof(1) as type`.execute(tx)),
      /PostgreSQL refuses a statement/,
    );
    const goesOn = (tx: Db) => twice(tx).catch(() => addRow(tx, "b"));
    assert.match(await saidOf(goesOn), /nothing after a failure/);
  });
});
