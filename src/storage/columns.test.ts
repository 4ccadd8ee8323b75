import assert from "node:assert/strict";
import { describe, test } from "node:test";

import * as fc from "fast-check";
import { sql } from "kysely";

import { onEachEngine, sharedDatabase } from "../../test/support/harness.ts";
import { assertLinear } from "../../test/support/growth.ts";
import { accountRow } from "../../test/support/rows.ts";
import { matchesText, parseTimestamp, toTimestamp, type TextMatch } from "./columns.ts";

const comparisons: Readonly<Record<TextMatch, (column: string, value: string) => boolean>> = {
  exact: (column, value) => column === value,
  contains: (column, value) => column.includes(value),
  startswith: (column, value) => column.startsWith(value),
  endswith: (column, value) => column.endsWith(value),
};
const matches = Object.keys(comparisons) as TextMatch[];

// Characters that a pattern treats specially, letters of both cases, and characters of two and four bytes.
const text = fc.string({
  unit: fc.constantFrom("%", "_", "\\", "'", "a", "A", ".", "é", "É", "😀"),
  maxLength: 6,
});

onEachEngine("text columns", (engine) => {
  const db = sharedDatabase(engine);

  async function found(match: TextMatch, value: string): Promise<string[]> {
    const rows = await db.read
      .selectFrom("accounts")
      .select("name")
      .where(matchesText(sql.ref<string>("name"), match, value))
      .execute();
    return rows.map(({ name }) => name);
  }

  test("wildcards and backslashes in a sought text stand for themselves, and case counts", async () => {
    const stored = ["100%", "100", "a_b", "axb", "a\\b", "a\\%b", "A_B", "\\", "%", "_", "", "it's"];
    await db.transaction(async (tx) => {
      await tx.insertInto("accounts").values(stored.map(accountRow)).execute();
    });
    for (const value of stored) {
      for (const match of matches) {
        const expected = stored.filter((column) => comparisons[match](column, value));
        assert.deepEqual(new Set(await found(match, value)), new Set(expected), `${match} ${value}`);
      }
    }
  });

  test("every match finds what the same comparison of strings finds", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(text, { minLength: 1, maxLength: 20 }),
        text,
        fc.constantFrom(...matches),
        async (columns, value, match) => {
          const rows = sql.join(
            columns.map((column) => sql`select cast(${column} as text) as name`),
            sql` union all `,
          );
          const condition = matchesText(sql.ref<string>("name"), match, value);
          const answer = await sql<{
            name: string;
          }>`select name from (${rows}) as t where ${condition}`.execute(db.read);
          assert.deepEqual(
            new Set(answer.rows.map(({ name }) => name)),
            new Set(columns.filter((column) => comparisons[match](column, value))),
          );
        },
      ),
      { numRuns: 100 },
    );
  });

  test("to look for a long text costs no more than that, wherever it is looked for", async () => {
    for (const match of ["contains", "startswith", "endswith"] as const) {
      const look = async (half: string): Promise<unknown> => {
        const almost = match === "endswith" ? `b${half}` : `${half}b`;
        const condition = matchesText(sql`cast(${half + half} as text)`, match, almost);
        return sql`select 1 as one where ${condition}`.execute(db.read);
      };
      await assertLinear(match, look, (length) => "a".repeat(length), { length: 16_384, parts: 64 });
    }
  });

  test("nothing matches a column that is null", async () => {
    for (const match of matches) {
      const condition = matchesText(sql<null>`cast(null as text)`, match, "");
      const { rows } = await sql`select 1 as one where ${condition}`.execute(db.read);
      assert.deepEqual(rows, []);
    }
  });

  test("the order is that of the bytes, whatever the language of the machine", async () => {
    const names = [
      "b",
      "a",
      "B",
      "A",
      "a-b",
      "ab",
      "a.b",
      "a_b",
      "_",
      "-",
      "é",
      "z",
      "Z",
      "ß",
      "中",
      "",
      " ",
      "10",
      "9",
    ];
    // UTF-16, by which JavaScript sorts, has these two the other way round.
    names.push("\u{FFFD}", "😀");
    await db.transaction(async (tx) => {
      await tx.insertInto("accounts").values(names.map(accountRow)).execute();
    });
    for (const direction of ["asc", "desc"] as const) {
      const rows = await db.read.selectFrom("accounts").select("name").orderBy("name", direction).execute();
      const expected = names.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
      assert.deepEqual(
        rows.map(({ name }) => name),
        direction === "asc" ? expected : expected.toReversed(),
      );
    }
    const above = await db.read.selectFrom("accounts").select("name").where("name", ">", "a").execute();
    assert.equal(
      above.length,
      names.filter((name) => Buffer.compare(Buffer.from(name), Buffer.from("a")) > 0).length,
    );
  });

  test("what was stored comes back, every character of it", async () => {
    const value = "\u0001\t\n\r\"'\\%_;--é中😀\u200B ";
    await db.transaction((tx) =>
      tx
        .insertInto("accounts")
        .values({ ...accountRow("a"), name: value })
        .execute(),
    );
    const row = await db.read.selectFrom("accounts").select("name").executeTakeFirstOrThrow();
    assert.equal(row.name, value);
  });
});

test("timestamps sort as the times they stand for", () => {
  const time = fc.date({ min: new Date(0), max: new Date("9999-12-31T23:59:59.999Z"), noInvalidDate: true });
  fc.assert(
    fc.property(time, time, (a, b) => {
      assert.equal(toTimestamp(a) < toTimestamp(b), a.getTime() < b.getTime());
    }),
  );
  assert.equal(toTimestamp(new Date("2026-01-02T03:04:05.678Z")), "2026-01-02T03:04:05.678000Z");
});

describe("parseTimestamp", () => {
  test("every form of RFC 3339 is read, a plus sign that a query lost too, and nothing else", () => {
    const forms = {
      "2023-01-31T15:56:36Z": "2023-01-31T15:56:36.000000Z",
      "2023-01-31t15:56:36.5z": "2023-01-31T15:56:36.500000Z",
      "2023-01-31T15:56:36.123456789Z": "2023-01-31T15:56:36.123000Z",
      "2023-01-31T15:56:36+00:00": "2023-01-31T15:56:36.000000Z",
      "2023-01-31T15:56:36 02:00": "2023-01-31T13:56:36.000000Z",
      "9999-12-31T23:59:59-01:00": undefined,
      "0000-01-01T00:00:00+01:00": undefined,
      "2023-02-30T00:00:00Z": undefined,
      "2023-01-31": undefined,
      "2023-01-31T25:00:00Z": undefined,
      "Tue, 31 Jan 2023 15:56:36 GMT": undefined,
      "": undefined,
    };
    for (const [written, time] of Object.entries(forms)) assert.equal(parseTimestamp(written), time, written);
  });
});
