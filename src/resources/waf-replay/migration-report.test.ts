import assert from "node:assert/strict";
import { test } from "node:test";

import { onEachEngine, startOfTime, startTestApp } from "../../../test/support/harness.ts";
import { recordEvents } from "../../../test/support/security-event-api.ts";

onEachEngine("reportMigration", (engine) => {
  test("the requests of all events count, each once, without traces and replays, of the asked time and zone", async (t) => {
    const app = await startTestApp(t, engine);
    const zoneId = await app.createZone("busy.example");
    const otherId = await app.createZone("other.example");
    app.advance(3 * 3_600_000);
    const before = (minutes: number): string =>
      new Date(startOfTime.getTime() + 3 * 3_600_000 - minutes * 60_000).toISOString();
    const rayOf = (request: number): string => request.toString(16).padStart(16, "0");
    const seldom = { on: before(50), ray: "a".repeat(16) };
    const onlyNew = { ...seldom, ray: "b".repeat(16), metadata: { note: '{"key":"traced",' } };
    const noted = { ...seldom, ray: "c".repeat(16), action: "log" };
    await recordEvents(t, app, otherId, [{ ...onlyNew, on: before(1) }]);
    await recordEvents(t, app, zoneId, [
      { ...onlyNew, on: before(90), ray: "d".repeat(16) },
      { ...seldom, source: "waf", action: "managed_challenge" },
      { ...seldom, action: "log" },
      onlyNew,
      { ...onlyNew, action: "log" },
      noted,
      { ...noted, source: "waf" },
      { ...onlyNew, ray: "e".repeat(16), metadata: { traced: "true" } },
      { ...onlyNew, ray: "f".repeat(16), metadata: { replayed: "true" } },
      { ...onlyNew, ray: "9".repeat(16), source: "firewallCustom" },
      ...Array.from({ length: 5_001 }, (_, request) => ({ on: before(10), ray: rayOf(request) })),
      ...Array.from({ length: 5_001 }, (_, request) => ({
        on: before(10),
        ray: rayOf(request),
        source: "waf" as const,
      })),
    ]);
    const { result } = (await app.request("GET", `/zones/${zoneId}/waf_migration/report?hours=1`)).body;
    assert.deepEqual(result.requests, { both: 5_001, only_new: 1, only_previous: 1, none: 1 });
    assert.deepEqual([result.events_read, result.is_complete], [10_000, false]);
    assert.equal(Date.parse(result.since), Date.parse(before(60)));
  });

  test("events of many seconds are counted as those of one are", async (t) => {
    const app = await startTestApp(t, engine);
    const zoneId = await app.createZone("busy.example");
    const perSecond = 3_501;
    await recordEvents(
      t,
      app,
      zoneId,
      [0, 1, 2].flatMap((second) =>
        Array.from({ length: perSecond }, (_, request) => ({
          on: new Date(startOfTime.getTime() - second * 1_000).toISOString(),
          ray: (second * perSecond + request).toString(16).padStart(16, "0"),
        })),
      ),
    );
    const { result } = (await app.request("GET", `/zones/${zoneId}/waf_migration/report?hours=1`)).body;
    assert.deepEqual(result.requests, { both: 0, only_new: 3 * perSecond, only_previous: 0, none: 0 });
  });

  test("an event counts for all requests that it stands for", async (t) => {
    const app = await startTestApp(t, engine);
    const zoneId = await app.createZone("busy.example");
    const on = new Date(startOfTime.getTime() - 60_000).toISOString();
    const sampled = { on, ray: "a".repeat(16), sampleInterval: 8 };
    await recordEvents(t, app, zoneId, [
      sampled,
      { ...sampled, source: "waf", action: "log" },
      { ...sampled, ray: "b".repeat(16), sampleInterval: 1 },
    ]);
    const { result } = (await app.request("GET", `/zones/${zoneId}/waf_migration/report?hours=1`)).body;
    assert.deepEqual(
      [result.requests.only_new, result.stopped_only_by_new[0].requests, result.events_read],
      [9, 9, 3],
    );
  });
});
