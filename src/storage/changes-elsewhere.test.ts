import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { newLocation, onEachEngine, soonSecondsMax, until } from "../../test/support/harness.ts";
import { startLine } from "../../test/support/tcp-line.ts";
import { createContext } from "../process/open-store.ts";
import { ensureOwner } from "../resources/users/users.ts";
import type { Database } from "./database.ts";
import { openDatabase } from "./open-database.ts";

const second = 1_000;

async function addOwner(db: Database): Promise<void> {
  const settings = { email: "owner@example.com", accountName: "Example", key: undefined };
  await db.transaction((tx, publication) => {
    publication.access();
    return ensureOwner(createContext(db), tx, settings);
  });
}

onEachEngine("a change of users by another process", (engine) => {
  test("is heard within a second of the timers", async (t) => {
    t.mock.timers.enable({ apis: ["setInterval"] });
    const location = await newLocation(t, engine);
    const [here, elsewhere] = [await openDatabase(location), await openDatabase(location)];
    t.after(() => Promise.all([here.close(), elsewhere.close()]));
    await here.migrate();
    let heard = 0;
    here.onChange(() => (heard += 1));
    if (engine === "postgres") await until("it listens", () => heard > 0);
    heard = 0;
    await addOwner(elsewhere);
    // PostgreSQL announces it, without a timer.
    if (engine === "sqlite") t.mock.timers.tick(second);
    else await until("it is announced", () => heard > 0);
    assert.ok(heard > 0);
  });
});

describe("a connection to PostgreSQL that has fallen silent", () => {
  test("is taken for lost within a second of the timers, and then anything may change at any beat", async (t) => {
    t.mock.timers.enable({ apis: ["setInterval"] });
    const location = await newLocation(t, "postgres");
    assert.ok(location.engine === "postgres");
    const line = await startLine(t, location.url, "zoneward watch");
    const db = await openDatabase({ engine: "postgres", url: line.url });
    t.after(() => db.close());
    let heard = 0;
    db.onChange(() => (heard += 1));
    await until("it listens", () => heard > 0);
    heard = 0;
    line.silence();
    t.mock.timers.tick(second);
    await until("it is lost", () => heard > 0, soonSecondsMax);
    heard = 0;
    t.mock.timers.tick(second);
    assert.ok(heard > 0);
    line.carry();
  });
});
