import assert from "node:assert/strict";
import { test } from "node:test";

import { onComparedEngines, startTestApp, until } from "../../../test/support/harness.ts";
import { pathsOf, recordEvents } from "../../../test/support/security-event-api.ts";

onComparedEngines("pruneSecurityEvents", (engine) => {
  test("a server deletes events that are too old or too many, the oldest first", async (t) => {
    const app = await startTestApp(
      t,
      engine,
      { security_event_days: 30, security_events_max: 2 },
      { securityEventRoundMs: 10 },
    );
    const zoneId = await app.createZone("example.com");
    await recordEvents(t, app, zoneId, [
      { on: "2025-12-02T03:04:04Z", path: "/too-old" },
      { on: "2025-12-03T03:04:06Z", path: "/3" },
    ]);
    await until("the old event is gone", async () => (await pathsOf(app, zoneId, {})).length === 1);
    await recordEvents(t, app, zoneId, [
      { on: "2026-01-01T00:00:00Z", path: "/2" },
      { on: "2026-01-01T00:00:00Z", path: "/1" },
    ]);
    await until("only two are left", async () => (await pathsOf(app, zoneId, {})).length === 2);
    assert.deepEqual(await pathsOf(app, zoneId, {}), ["/2", "/1"]);
  });

  test("an account with many events pushes out none of one with few, whatever their age and its zones", async (t) => {
    const app = await startTestApp(
      t,
      engine,
      { security_events_max: 20, create_accounts: "owner" },
      { securityEventRoundMs: 10 },
    );
    const zoneOf = async (name: string) => {
      const { body } = await app.request("POST", "/accounts", { body: { name } });
      const zone = { name: `${name}.example`, account: { id: body.result.id } };
      return (await app.request("POST", "/zones", { body: zone })).body.result.id as string;
    };
    const few = await zoneOf("few");
    await recordEvents(t, app, few, [{ on: "2026-01-01T00:00:00Z", path: "/old" }]);
    const many = [await zoneOf("many"), await zoneOf("many-too")];
    const third = await zoneOf("third");
    await recordEvents(
      t,
      app,
      third,
      [...Array(5).keys()].map((index) => ({ on: `2026-01-01T00:00:1${index}Z`, path: `/${index}` })),
    );
    for (const zoneId of many)
      await recordEvents(
        t,
        app,
        zoneId,
        [...Array(40).keys()].map((index) => ({ on: `2026-01-01T00:01:${10 + index}Z`, path: `/${index}` })),
      );
    const counts = () => Promise.all(many.map(async (zoneId) => (await pathsOf(app, zoneId, {})).length));
    await until("both have an equal part", async () => (await counts()).every((count) => count === 7));
    assert.deepEqual(await pathsOf(app, few, {}), ["/old"]);
    assert.equal((await pathsOf(app, third, {})).length, 5);
    assert.deepEqual(
      await pathsOf(app, many[0] ?? "", {}),
      [33, 34, 35, 36, 37, 38, 39].map((index) => `/${index}`),
    );
  });
});
