import assert from "node:assert/strict";
import { test } from "node:test";

import { onComparedEngines, startTestApp } from "../../../test/support/harness.ts";
import { blocking, judgedRequest, pathsOf } from "../../../test/support/security-event-api.ts";
import { openStore } from "../../../test/support/store.ts";
import { uuidV7Generator } from "../../process/open-store.ts";
import { securityEventsOf, storeSecurityEvents } from "./security-events.ts";

onComparedEngines("storeSecurityEvents", (engine) => {
  test("events that are sent again, as no answer came, are stored once", async (t) => {
    const app = await startTestApp(t, engine);
    const zone = { id: await app.createZone("example.com") };
    const db = await openStore(t, app);
    const now = () => new Date("2026-01-02T03:00:00Z");
    const newUuid = uuidV7Generator();
    const context = { db, now, newId: () => "a".repeat(32), newLogId: () => newUuid(now()) };
    const [first = [], second = []] = ["/1", "/2"].map((path) =>
      securityEventsOf(context, zone, {
        request: { ...judgedRequest, path },
        matches: [blocking],
        metadata: {},
      }),
    );
    await storeSecurityEvents(context, zone, first);
    await storeSecurityEvents(context, zone, [...first, ...second]);
    assert.deepEqual((await pathsOf(app, zone.id, {})).toSorted(), ["/1", "/2"]);
  });
});
