import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";

import { flagsOf, startFilledApp } from "../../test/support/filled-app.ts";
import { commandLine } from "../../test/support/command-line.ts";
import { newDirectory, newLocation, onEachEngine } from "../../test/support/harness.ts";
import { besideServer, storedRows } from "../../test/support/store.ts";

const zoneward = commandLine();

onEachEngine("zoneward database check", (engine) => {
  test("finds nothing in a sound store that is served, and names what is wrong with another, changing neither", async (t) => {
    const app = await startFilledApp(t, engine);
    const check = () => zoneward(["database", "check", ...flagsOf(app)]);
    const sound = await check();
    assert.equal(sound.code, 0, sound.stdout + sound.stderr);
    assert.match(sound.stdout, /^numbers of records +ok$/m);
    assert.match(sound.stdout, /^encrypted secrets +ok$/m);

    await besideServer(app, async (tx) => {
      await tx.updateTable("zones").set({ dns_record_count: 7 }).execute();
      await tx.updateTable("dns_records").set({ record: "{" }).where("type", "=", "MX").execute();
      await tx.updateTable("rulesets").set({ version: 9 }).execute();
      const sealed = await tx
        .selectFrom("certificate_authorities")
        .select("private_key")
        .executeTakeFirstOrThrow();
      await tx.updateTable("pack_certificates").set(sealed).where("key_type", "=", "rsa").execute();
    });
    const rows = await storedRows(app);
    const damaged = await check();
    assert.equal(damaged.code, 1);
    assert.match(damaged.stdout, /^records +damaged\n {2}the record [0-9a-f]{32} cannot be read$/m);
    assert.match(
      damaged.stdout,
      /^numbers of records +damaged\n {2}example\.com has \d+ records but counts 7$/m,
    );
    assert.match(
      damaged.stdout,
      /^versions of rulesets +damaged\n {2}the ruleset [0-9a-f]{32} has no version 9$/m,
    );
    assert.match(
      damaged.stdout,
      /^encrypted secrets +damaged\n {2}pack_certificates\.private_key [0-9a-f]{32}: a stored secret was changed/m,
    );
    assert.deepEqual(await storedRows(app), rows);
  });

  test("says so where there is no store, and makes none", async (t) => {
    const location = await newLocation(t, engine);
    const data = newDirectory(t);
    const flags = location.engine === "postgres" ? [`--database=${location.url}`] : [];
    const answer = await zoneward(["database", "check", `--data=${data}`, ...flags]);
    assert.equal(answer.code, 1);
    assert.match(answer.stderr, /no store/);
    assert.deepEqual(readdirSync(data), []);
  });
});
