import assert from "node:assert/strict";
import { test } from "node:test";

import { onComparedEngines, startTestApp } from "../../../test/support/harness.ts";
import { createZonePart } from "../../../test/support/zone-parts.ts";

onComparedEngines("development mode", (engine) => {
  test("development mode lasts three hours by the clock, and the zone shows the seconds left", async (t) => {
    const app = await startTestApp(t, engine);
    const settings = await createZonePart(app, "settings");
    const look = async () => {
      const { value, time_remaining, modified_on } = await settings.result("GET", "/development_mode");
      const zone = await app.request("GET", `/zones/${settings.zoneId}`);
      const zones = await app.request("GET", "/zones");
      assert.equal(zone.body.result.development_mode, time_remaining);
      assert.equal(zones.body.result[0].development_mode, time_remaining);
      return { value, time_remaining, modified_on };
    };
    const started = "2026-01-02T03:04:05.678000Z";
    assert.deepEqual(await look(), { value: "off", time_remaining: 0, modified_on: null });
    const answer = await settings.send("PATCH", "/development_mode", { value: "on" });
    assert.deepEqual(answer.body.result, {
      id: "development_mode",
      value: "on",
      modified_on: started,
      time_remaining: 10_800,
      editable: true,
    });
    app.advance(1_000);
    assert.deepEqual(await look(), { value: "on", time_remaining: 10_799, modified_on: started });
    app.advance(10_799_000);
    assert.deepEqual(await look(), { value: "off", time_remaining: 0, modified_on: started });
    app.advance(60_000);
    assert.deepEqual(await look(), { value: "off", time_remaining: -60, modified_on: started });
  });

  test("development mode that is turned on again lasts anew, and ends when it is turned off", async (t) => {
    const app = await startTestApp(t, engine);
    const settings = await createZonePart(app, "settings");
    const turn = async (value: string) => {
      const { time_remaining } = await settings.result("PATCH", "/development_mode", { value });
      return time_remaining as number;
    };
    assert.equal(await turn("off"), 0);
    assert.equal((await settings.result("GET", "/development_mode")).modified_on, null);
    assert.equal(await turn("on"), 10_800);
    app.advance(3_600_000);
    assert.equal(await turn("on"), 10_800);
    assert.equal(await turn("off"), 0);
    app.advance(5_000);
    assert.equal(await turn("off"), -5);
  });
});
