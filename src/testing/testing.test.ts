import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";

import { startZoneward, ZonewardError } from "./testing.ts";
import type { Zoneward } from "./zoneward-testing.d.ts";

for (const where of ["process", "child"] as const) {
  describe(`a server of zoneward/testing, in: ${where}`, () => {
    let zoneward: Zoneward;
    before(async () => {
      zoneward = await startZoneward({ in: where, now: "2026-01-02T03:04:05Z", idsSeed: "seed" });
    });
    after(() => zoneward.stop());
    beforeEach(() => zoneward.reset());

    test("serves the API to its token, with an account of the owner", async () => {
      const answer = await fetch(`${zoneward.baseUrl}/accounts/${zoneward.accountId}`, {
        headers: { authorization: `Bearer ${zoneward.token}` },
      });
      assert.equal(answer.status, 200);
      const [zone, again] = [await zoneward.zone(), await zoneward.zone()];
      assert.deepEqual([zone.name, again.name], ["zone-1.example", "zone-2.example"]);
    });

    test("begins each test with the state of the start", async () => {
      assert.deepEqual(await zoneward.call("GET", "/zones"), []);
      const records = [{ type: "A", name: "www", content: "192.0.2.1" }];
      const zone = await zoneward.zone({ name: "example.com", records, active: true });
      assert.equal(zone.status, "active");
      const listed = await zoneward.call<readonly object[]>("GET", `/zones/${zone.id}/dns_records`);
      assert.equal(listed.length, 1);
    });

    test("saves, restores and hands over snapshots", async () => {
      const zone = await zoneward.zone();
      const snapshot = await zoneward.snapshot();
      await zoneward.call("DELETE", `/zones/${zone.id}`);
      await snapshot.restore();
      assert.deepEqual(await zoneward.call("GET", `/zones/${zone.id}`), zone);

      await using other = await startZoneward();
      const { accountId } = other;
      await (await other.readSnapshot(await snapshot.file())).restore();
      assert.equal((await other.call<{ id: string }>("GET", `/zones/${zone.id}`)).id, zone.id);
      assert.equal(other.accountId, zoneward.accountId);
      assert.notEqual(other.accountId, accountId);
      await snapshot.delete();
      await assert.rejects(snapshot.restore(), ZonewardError);
    });

    test("moves its clock, fails on demand, and tells what was asked", async () => {
      assert.equal((await zoneward.clock.now()).toISOString(), "2026-01-02T03:04:05.000Z");
      assert.equal((await zoneward.clock.advance({ days: 1 })).toISOString(), "2026-01-03T03:04:05.000Z");
      const fault = await zoneward.fault({
        match: { operation: "createZone" },
        effect: { type: "error", status: 500 },
      });
      await assert.rejects(zoneward.zone(), { name: "ZonewardError", status: 500 });
      await fault.remove();
      await zoneward.zone();
      await zoneward.journal.verify({ match: { operation: "createZone" }, at_least: 2, at_most: 2 });
      await zoneward.journal.verifyInOrder(
        { match: { operation: "createZone", status: 500 } },
        { match: { operation: "createZone", status: 200 } },
      );
      const never = { match: { method: "DELETE", path: "/client/v4/zones/*" } };
      await assert.rejects(zoneward.journal.verify(never), /expected .*found 0\n {2}near miss: /);
      const entries = await zoneward.journal.entries({ operation: "createZone" });
      assert.deepEqual(
        entries.map(({ status }) => status),
        [500, 200],
      );
    });
  });
}

describe("startZoneward", () => {
  test("takes a seed and settings, and says which of them are wrong", async () => {
    await using zoneward = await startZoneward({
      seed: { zones: [{ name: "example.com" }] },
      settings: { default_plan: "free", allowed_hosts: ["a.example", "b.example"] },
    });
    const [zone] = await zoneward.call<readonly { plan: { legacy_id: string } }[]>("GET", "/zones");
    assert.equal(zone?.plan.legacy_id, "free");
    for (const where of ["process", "child"] as const) {
      await assert.rejects(startZoneward({ in: where, settings: { default_plan: "none", prot: 1 } }), {
        message: /ZONEWARD_PROT: unknown setting\n.*ZONEWARD_DEFAULT_PLAN: must be/s,
      });
    }
  });

  test("leaves no listener of the process behind, however many servers were started and stopped", async () => {
    const count = async (): Promise<number[]> => {
      await (await startZoneward()).stop();
      return ["exit", "beforeExit", "SIGTERM", "uncaughtException"].map((event) =>
        process.listenerCount(event),
      );
    };
    // The log has one for all of them.
    const first = await count();
    await count();
    assert.deepEqual(await count(), first);
  });

  test("starts twenty servers at once, each with a state of its own", async () => {
    const servers = await Promise.all(Array.from({ length: 20 }, () => startZoneward()));
    try {
      await Promise.all(servers.map((server, n) => server.zone({ name: `zone-${n}.example` })));
      const listed = await Promise.all(
        servers.map((server) => server.call<readonly { name: string }[]>("GET", "/zones")),
      );
      assert.deepEqual(
        listed.map((zones) => zones.map(({ name }) => name)),
        servers.map((_, n) => [`zone-${n}.example`]),
      );
    } finally {
      await Promise.all(servers.map((server) => server.stop()));
    }
  });
});
