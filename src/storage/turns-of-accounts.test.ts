import assert from "node:assert/strict";
import { test } from "node:test";

import { onEachEngine, startTestApp } from "../../test/support/harness.ts";
import { addAccount, addZone, besideServer } from "../../test/support/store.ts";
import { turnOfAccount } from "./turns-of-accounts.ts";

onEachEngine("turns of accounts", (engine) => {
  test("the first zone of each account comes before any second one, also where nothing was done with it yet", async (t) => {
    const app = await startTestApp(t, engine);
    for (const name of ["a1.example", "a2.example", "a3.example"]) {
      await app.createZone(name);
      app.advance(1_000);
    }
    const other = await addAccount(app, "Other");
    await addZone(app, "b1.example", { account_id: other });
    app.advance(1_000);
    await addZone(app, "b2.example", { account_id: other });
    const inTurns = await besideServer(app, (tx) =>
      tx
        .selectFrom("zones")
        .select("name")
        .orderBy(turnOfAccount("zones.id", "created_on"))
        .orderBy("created_on")
        .limit(4)
        .execute(),
    );
    assert.deepEqual(
      inTurns.map(({ name }) => name),
      ["a1.example", "b1.example", "a2.example", "b2.example"],
    );
  });
});
