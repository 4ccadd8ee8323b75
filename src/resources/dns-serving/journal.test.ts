import assert from "node:assert/strict";
import { test } from "node:test";

import { onComparedEngines } from "../../../test/support/harness.ts";
import { startPrimary } from "../../../test/support/primary.ts";
import { selectRow } from "../../storage/rows.ts";
import { dnsRecordsChanged } from "../zones/zones.ts";

const peerPort = 9;
const changes = 200;
const recordLength = 30_000;
const allBeforeLengthMax = 1024 * 1024;

onComparedEngines("the stored journal of a zone", (engine) => {
  test("has the latest changes, up to a limit of one and of all, and none while the zone is not transferred", async (t) => {
    const primary = await startPrimary(t, engine);
    const zoneId = await primary.createZone("example.com", [await primary.createPeer(peerPort)]);
    const store = await primary.app.storeBeside();
    const change = (contentLength: number): Promise<void> =>
      store.transaction(async (tx) => {
        const zone = await selectRow(tx, "zones", { id: zoneId });
        assert.ok(zone);
        const name = "text.example.com";
        const content = "x".repeat(contentLength);
        const record = { name, type: "TXT", content, ttl: 1, proxied: false, settings: {} } as const;
        const before = new Map([["0".repeat(32), record]]);
        await dnsRecordsChanged(tx, zone, {
          countChange: 0,
          names: new Set([name]),
          before,
          now: new Date(),
        });
      });
    const stored = async () => {
      const rows = await store.read
        .selectFrom("dns_changes")
        .selectAll()
        .where("zone_id", "=", zoneId)
        .orderBy("version")
        .execute();
      return rows.map(({ records_before }) => records_before?.length ?? 0);
    };
    for (let made = (await stored()).length; made < changes; made += 1) await change(recordLength);
    const lengths = await stored();
    const sum = lengths.reduce((all, length) => all + length, 0);
    assert.ok(sum <= allBeforeLengthMax, `${sum}`);
    assert.ok(sum > allBeforeLengthMax / 2, `${sum}`);
    assert.ok((lengths.at(-1) ?? 0) > recordLength);
    assert.equal(lengths[0], 0);

    await change(300_000);
    assert.equal((await stored()).at(-1), 0);
    await change(1);
    assert.notEqual((await stored()).at(-1), 0);
    await primary.result("POST", `/zones/${zoneId}/secondary_dns/outgoing/disable`);
    await change(1);
    assert.equal((await stored()).at(-1), 0);
  });
});
