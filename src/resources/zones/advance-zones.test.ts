import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test, type TestContext } from "node:test";

import { startDnsServer, type DnsServer } from "../../../test/support/dns-server.ts";
import {
  onEachEngine,
  startOfTime,
  startTestApp,
  until,
  type Engine,
  type TestApp,
} from "../../../test/support/harness.ts";
import { besideServer, openStore } from "../../../test/support/store.ts";
import { createDnsResolver, type DnsResolver } from "../../network/dns-resolver.ts";
import { advanceZones } from "./activation.ts";

const minute = 60_000;
const ours = ["ns1.zoneward.example", "ns2.zoneward.example"];
const theirs = ["ns1.elsewhere.example", "ns2.elsewhere.example"];

onEachEngine("advanceZones", (engine) => {
  test("each zone is looked up when its status says so, and no earlier", async (t) => {
    const { app, dns, advance, round } = await startRounds(t, engine);
    const statusOf = async (id: string): Promise<string> =>
      (await app.request("GET", `/zones/${id}`)).body.result.status;
    const id = await app.createZone("example.com");
    const setStatus = (status: "initializing" | "pending"): Promise<unknown> =>
      besideServer(app, (tx) => tx.updateTable("zones").set({ status, checked_on: null }).execute());
    await setStatus("initializing");

    dns.names.set("example.com", "servfail");
    assert.deepEqual(await round(), ["example.com"]);
    assert.equal(await statusOf(id), "initializing");
    dns.names.set("example.com", { ns: theirs });
    assert.deepEqual(await round(), ["example.com"], "one that was never looked up waits for nothing");
    assert.equal(await statusOf(id), "pending");

    const waits = [
      { status: "pending", minutes: 5, next: { ns: ours } },
      { status: "active", minutes: 24 * 60, next: { ns: theirs } },
      { status: "moved", minutes: 60, next: { ns: ours } },
    ] as const;
    for (const { status, minutes, next } of waits) {
      assert.equal(await statusOf(id), status);
      dns.names.set("example.com", next);
      assert.deepEqual(await round(), [], `${status}: not again at once`);
      advance((minutes - 1) * minute);
      assert.deepEqual(await round(), [], `${status}: not a minute too early`);
      advance(minute);
      assert.deepEqual(await round(), ["example.com"], status);
    }
    assert.equal(await statusOf(id), "active");
  });

  test("of more zones than a round takes, those that were never looked up come first", async (t) => {
    const { app, dns, advance, round } = await startRounds(t, engine);
    const names = Array.from({ length: 103 }, (_, index) => `zone-${index}.example`);
    await Promise.all(names.map((name) => app.createZone(name)));
    await besideServer(app, (tx) => tx.updateTable("zones").set({ status: "initializing" }).execute());
    for (const name of names) dns.names.set(name, "servfail");
    const first = new Set(await round());
    assert.equal(first.size, 100);
    advance(minute);
    const second = new Set(await round());
    assert.deepEqual(
      names.filter((name) => !first.has(name) && !second.has(name)),
      [],
    );
  });

  test("a domain whose servers are silent holds up no other", async (t) => {
    const { app, dns, resolver, round } = await startRounds(t, engine);
    dns.names.set("silent.example", "silence");
    dns.names.set("ours.example", { ns: ours });
    await app.createZone("silent.example");
    await app.createZone("ours.example");
    let isOver = false;
    const running = round().finally(() => (isOver = true));
    await until("the other one is active", async () => {
      const { body } = await app.request("GET", "/zones?status=active");
      return body.result_info?.total_count === 1;
    });
    assert.ok(!isOver, "the silent one is still waited for");
    resolver.close();
    await assert.rejects(running);
  });

  test("with activation=immediate nothing is looked up", async (t) => {
    const { app, round } = await startRounds(t, engine, "immediate");
    const id = await app.createZone("example.com");
    assert.deepEqual(await round(), []);
    assert.equal((await app.request("GET", `/zones/${id}`)).body.result.status, "pending");
  });
});

/**
 * An app whose own timer does nothing, and the rounds that it would make: each answers the names that were
 * asked for.
 */
async function startRounds(
  t: TestContext,
  engine: Engine,
  activation: "immediate" | "check-ns" = "check-ns",
): Promise<{
  app: TestApp;
  dns: DnsServer;
  resolver: DnsResolver;
  advance: (milliseconds: number) => void;
  round: () => Promise<string[]>;
}> {
  const dns = await startDnsServer(t);
  const app = await startTestApp(t, engine);
  const resolver = createDnsResolver([dns.address], 600_000);
  const db = await openStore(t, app);
  let now = startOfTime.getTime();
  const context = {
    db,
    now: () => new Date(now),
    newId: () => "",
    settings: {
      vendor: "cloudflare",
      nameServers: ours,
      nameServerSets: [],
      defaultPlan: "free",
      activation,
      activationDelayMs: 0,
      newZoneWaf: "previous",
    } as const,
    delegation: resolver.delegation,
    ownAddresses: () => Promise.resolve(new Set<string>()),
    isHeldName: () => Promise.resolve(false),
    presetSettings: () => Promise.reject(new Error("no zone is added")),
    zoneActivated: () => Promise.resolve(),
    afterActivation: () => {},
    newLogId: () => randomUUID(),
  };
  return {
    app,
    dns,
    resolver,
    advance: (milliseconds) => {
      now += milliseconds;
    },
    round: async () => {
      await advanceZones(context);
      // A resolver that is in doubt asks again.
      return [...new Set(dns.asked.splice(0))];
    },
  };
}
