import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import {
  newDirectory,
  onComparedEngines,
  startTestApp,
  type TestApp,
} from "../../../test/support/harness.ts";

const valuesOf = async (app: TestApp, zoneId: string, ids: readonly string[]): Promise<unknown[]> => {
  const { body } = await app.request("GET", `/zones/${zoneId}/settings`);
  return ids.map((id) => body.result.find((one: { id: string }) => one.id === id).value);
};

onComparedEngines("settings of new zones", (engine) => {
  test("a new zone has the settings of the operator as far as its plan allows them, and may change them", async (t) => {
    const app = await startTestApp(t, engine, {
      new_zone_settings: { ssl: "flexible", http2: "off", ipv6: "off", challenge_ttl: 300 },
      default_plan: "free",
    });
    const ids = ["ssl", "http2", "ipv6", "challenge_ttl", "always_use_https"];
    const zoneId = await app.createZone("example.com");
    assert.deepEqual(await valuesOf(app, zoneId, ids), ["flexible", "on", "off", 300, "off"]);
    const change = await app.request("PATCH", `/zones/${zoneId}/settings/ssl`, { body: { value: "strict" } });
    assert.ok(change.body.success);
    await app.restart();
    assert.deepEqual(await valuesOf(app, zoneId, ids), ["strict", "on", "off", 300, "off"]);
  });

  test("seeded zones have them too, unless the seed says otherwise", async (t) => {
    const seed = {
      zones: [
        { name: "one.example", plan: "pro" },
        { name: "two.example", settings: { ssl: "full" } },
      ],
    };
    const file = join(newDirectory(t), "seed.json");
    writeFileSync(file, JSON.stringify(seed));
    const app = await startTestApp(t, engine, {
      new_zone_settings: { ssl: "strict", http2: "off" },
      seed: file,
    });
    const found = await app.request("GET", "/zones?order=name");
    const [one, two] = found.body.result.map(({ id }: { id: string }) => id);
    assert.deepEqual(await valuesOf(app, one, ["ssl", "http2"]), ["strict", "off"]);
    assert.deepEqual(await valuesOf(app, two, ["ssl", "http2"]), ["full", "off"]);
  });
});
