import assert from "node:assert/strict";
import { after, beforeEach, test } from "node:test";
import { startZoneward } from "zoneward/testing";

const zoneward = await startZoneward();
beforeEach(() => zoneward.reset());
after(() => zoneward.stop());

test("creates a zone although the first answer is an error", async () => {
  await zoneward.fault({
    match: { operation: "createZone", next: 1 },
    effect: { type: "error", status: 503 },
  });
  await assert.rejects(zoneward.zone(), { status: 503 });
  const zone = await zoneward.zone({ name: "example.com" });
  assert.equal(zone.name, "example.com");
  await zoneward.journal.verify({ match: { operation: "createZone" }, at_least: 2, at_most: 2 });
});
