import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";

import { flagsOf, startFilledApp, storeOf } from "../../test/support/filled-app.ts";
import { commandLine } from "../../test/support/command-line.ts";
import {
  newDirectory,
  newLocation,
  onEachEngine,
  startOfTime,
  startTestApp,
} from "../../test/support/harness.ts";
import { besideServer, storedRows } from "../../test/support/store.ts";
import { toTimestamp } from "../storage/columns.ts";

const zoneward = commandLine();

/** Without what says which migrations were applied, and when. */
function dataOf(rows: Readonly<Record<string, readonly string[]>>) {
  return Object.fromEntries(Object.entries(rows).filter(([table]) => !table.startsWith("kysely_")));
}

onEachEngine("zoneward database copy", (engine) => {
  test("brings a store to the other engine, where it is served with its certificates and tokens", async (t) => {
    const app = await startFilledApp(t, engine);
    const before = await storedRows(app);
    await app.close();
    const data = newDirectory(t);
    const location = await newLocation(t, engine === "sqlite" ? "postgres" : "sqlite");
    const database = location.engine === "postgres" ? location.url : undefined;
    const to = database ?? `sqlite:${join(data, "zoneward.sqlite")}`;
    const copied = await zoneward(["database", "copy", "--from", storeOf(app), "--to", to]);
    assert.equal(copied.code, 0, copied.stderr);
    assert.match(copied.stdout, /^dns_records +2 {2}[0-9a-f]{64}$/m);
    assert.ok(!copied.stderr.includes("["), "no bar where nobody looks on");

    const after = await storedRows({ config: { ...app.config, data, database } });
    assert.deepEqual(dataOf(after), dataOf(before));
    const secret_key_file = app.config.secret_key_file ?? join(app.config.data, "secret.key");
    const other = await startTestApp(t, engine, { data, database, secret_key_file });
    assert.equal((await other.request("GET", "/zones")).body.result[0].name, "example.com");

    const again = await zoneward(["database", "copy", "--from", storeOf(app), "--to", to]);
    assert.deepEqual([again.code, again.stdout], [1, ""]);
    assert.match(again.stderr, /the target is not empty/);
    const checked = await zoneward(["database", "check", ...flagsOf(other)]);
    assert.equal(checked.code, 0, checked.stdout);
  });

  test("that was cut short is served by nobody before it has gone on to its end", async (t) => {
    const app = await startFilledApp(t, engine);
    await besideServer(app, (tx) =>
      tx
        .insertInto("unfinished_copies")
        .values({ started_on: toTimestamp(startOfTime) })
        .execute(),
    );
    await assert.rejects(app.restart(), /it is an unfinished copy: run `zoneward database copy` again/);
    const checked = await zoneward(["database", "check", ...flagsOf(app)]);
    assert.equal(checked.code, 1);
    assert.match(checked.stdout, /^completeness +damaged\n {2}it is an unfinished copy$/m);
  });
});

describe("zoneward database copy", () => {
  test("that cannot be meant is refused, and nothing is made", async (t) => {
    const directory = newDirectory(t);
    const [from, to] = [join(directory, "from"), join(directory, "to")];
    for (const [args, code, message] of [
      [[`--from=sqlite:${from}`, `--to=sqlite:${to}`], 1, /there is no store at/],
      [[`--from=${from}`, `--to=sqlite:${to}`], 2, /--from: must be sqlite:FILE or postgres:/],
      [[`--from=sqlite:${from}`, `--to=sqlite:${from}`], 2, /--to: is the same store as --from/],
      [["--to=sqlite:x"], 2, /--from: is required/],
      [["--from=sqlite:x", "--to=sqlite:y", "--force"], 2, /--force: unknown flag/],
    ] as const) {
      const answer = await zoneward(["database", "copy", ...args]);
      assert.deepEqual([answer.code, answer.stdout], [code, ""], args.join(" "));
      assert.match(answer.stderr, message);
    }
    assert.deepEqual(readdirSync(directory), []);
  });
});
