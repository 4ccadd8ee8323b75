import assert from "node:assert/strict";
import { test } from "node:test";

import { onEachEngine, startTestApp, until } from "../../../test/support/harness.ts";
import { pathsOf, recordEvents } from "../../../test/support/security-event-api.ts";

onEachEngine("pruneSecurityEvents", (engine) => {
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
});
