import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { firstSignIn, openBrowser } from "../../../test/support/browser.ts";
import { startTestApp, until } from "../../../test/support/harness.ts";
import { besideServer } from "../../../test/support/store.ts";

const minute = 60_000;

describe("sessions of several instances", () => {
  test("are good on all, kept by their use on any, and ended by one on all", async (t) => {
    const settings = { session_idle_minutes: 30 };
    const first = await startTestApp(t, "postgres", settings, { sessionRoundMs: 20 });
    const { database, secret_key_file } = first.config;
    const second = await startTestApp(
      t,
      "postgres",
      { ...settings, database, secret_key_file },
      { sessionRoundMs: 20 },
    );
    const here = await firstSignIn(first);
    const there = openBrowser(second, here.cookie);
    assert.equal((await there.api("GET", "/user")).status, 200);
    for (const app of [first, second]) app.advance(20 * minute);
    assert.equal((await here.api("GET", "/user")).status, 200);
    await until("its use has been written", async () => {
      const [row] = await besideServer(first, (tx) => tx.selectFrom("sessions").selectAll().execute());
      return row?.used_on.startsWith("2026-01-02T03:24:") === true;
    });
    for (const app of [first, second]) app.advance(20 * minute);
    assert.equal((await there.api("GET", "/user")).status, 200);
    await here.request("DELETE", "/session");
    await until("the session has ended", async () => (await there.api("GET", "/user")).status === 401);
  });
});
