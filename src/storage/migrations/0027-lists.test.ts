import assert from "node:assert/strict";
import { test } from "node:test";

import { onEachEngine, openTestDatabase } from "../../../test/support/harness.ts";
import { accountRow } from "../../../test/support/rows.ts";
import { postgresColumns, sqliteColumns, toJson, toTimestamp } from "../columns.ts";
import type { Rule } from "../../core/rulesets/rule.ts";
import { createLists } from "./0027-lists.ts";

const now = toTimestamp(new Date("2026-01-02T03:04:05.678Z"));

const rule = (expression: string, action_parameters?: object): Rule =>
  ({
    id: "r",
    version: "1",
    action: "log",
    expression,
    action_parameters,
    description: "",
  }) as unknown as Rule;

onEachEngine("the migration to lists", (engine) => {
  test("counts what rules named before there were lists, in the version that is in force", async (t) => {
    const db = await openTestDatabase(t, engine);
    await db.transaction(async (tx) => {
      for (const table of ["list_references", "list_items", "list_operations", "lists"]) {
        await tx.schema.dropTable(table).execute();
      }
      await tx.insertInto("accounts").values(accountRow("a")).execute();
      await tx
        .insertInto("rulesets")
        .values({
          id: "s",
          zone_id: null,
          account_id: "a",
          kind: "root",
          phase: "http_request_redirect",
          version: 2,
        })
        .execute();
      const versions = [
        [1, [rule("ip.src in $earlier")]],
        [
          2,
          [
            rule('ip.src in $office and http.host ne "$quoted"'),
            rule("not ip.src in $office"),
            rule("true", { from_list: { name: "moved", key: "http.request.full_uri" } }),
          ],
        ],
      ] as const;
      for (const [version, rules] of versions) {
        const row = {
          ruleset_id: "s",
          version,
          name: "",
          description: "",
          rules: toJson([...rules]),
          last_updated: now,
        };
        await tx.insertInto("ruleset_versions").values(row).execute();
      }
    });
    await db.transaction((tx) => createLists(tx, engine === "postgres" ? postgresColumns : sqliteColumns));
    const rows = await db.read.selectFrom("list_references").selectAll().orderBy("list_name").execute();
    assert.deepEqual(
      rows.map(({ account_id, ruleset_id, list_name, uses }) => [account_id, ruleset_id, list_name, uses]),
      [
        ["a", "s", "moved", 1],
        ["a", "s", "office", 2],
      ],
    );
  });
});
