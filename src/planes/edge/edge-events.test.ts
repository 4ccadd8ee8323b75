import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { test, type TestContext } from "node:test";

import { pino } from "pino";
import { Registry } from "prom-client";

import { onComparedEngines, startTestApp, until } from "../../../test/support/harness.ts";
import { pathsOf } from "../../../test/support/security-event-api.ts";
import { openStore } from "../../../test/support/store.ts";
import type { ServedRequest } from "../../edge/rules/run-rules.ts";
import type { Database } from "../../storage/database.ts";
import { openPostgres } from "../../storage/postgres.ts";
import { collectEdgeEvents, findEvents } from "./edge-events.ts";
import { EventSampler } from "./event-sampler.ts";
import { createContext } from "../../process/open-store.ts";

/** A request to which one rule reacted; `path` is in its event. */
const served = (zoneId: string, path: string, accountId = "an account"): ServedRequest =>
  ({
    zone: { id: zoneId, accountId },
    visitor: {
      method: "GET",
      isSecure: false,
      host: "www.example.com",
      hostname: "www.example.com",
      path,
      query: "",
      protocol: "HTTP/1.1",
      headers: [],
    },
    address: "192.0.2.1",
    location: {},
    ray: "0123456789abcdef",
    matches: [
      { stage: "http_request_firewall_custom", rulesetId: "", ruleId: "", description: "", action: "block" },
    ],
    previousMatches: [],
    edgeStatus: 403,
    originStatus: 0,
  }) as unknown as ServedRequest;

function collect(
  db: Database,
  {
    sampler = new EventSampler(),
    ...limits
  }: Parameters<typeof collectEdgeEvents>[3] & { readonly sampler?: EventSampler } = {},
) {
  const logged: string[] = [];
  const register = new Registry();
  const logger = pino({ base: null }, { write: (line: string) => void logged.push(line) });
  const context = createContext(db);
  const { add, close } = collectEdgeEvents(context, logger, register, limits);
  const eventsOf = findEvents(context, sampler, register);
  const events = {
    close,
    add: (request: ServedRequest): void => {
      const found = eventsOf(request);
      if (found !== undefined) add(found);
    },
  };
  const droppedCount = async (): Promise<number> => {
    const metric = await register.getSingleMetric("zoneward_edge_events_dropped_total")?.get();
    return metric?.values[0]?.value ?? 0;
  };
  return { events, droppedCount, logged };
}

/** A database at an address where nobody answers, though connections are taken. */
async function openSilent(t: TestContext): Promise<Database> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => void sockets.add(socket.on("error", () => undefined)));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return openPostgres(`postgres://127.0.0.1:${port}/none`, { connectionWaitMs: 60_000 });
}

test("while the store is away, events wait up to a number of requests and of characters; the others are counted", async (t) => {
  const db = openPostgres("postgres://127.0.0.1:1/none");
  t.after(() => db.close());
  const few = collect(db, { waitingMax: 10 });
  for (let n = 0; n < 15; n += 1) few.events.add(served("zone", "/short"));
  assert.equal(await few.droppedCount(), 5);
  const long = collect(db, { charactersMax: 10_000 });
  for (let n = 0; n < 15; n += 1) long.events.add(served("zone", `/${"long".repeat(400)}`));
  const dropped = await long.droppedCount();
  assert.ok(dropped >= 9 && dropped < 15, String(dropped));
  await few.events.close();
  await long.events.close();
  assert.match(few.logged.join(""), /"requests":10,"msg":"security events are lost with the process"/);
});

test("the events of one account that wait leave those of another one their place, and are stored in turns", async (t) => {
  const app = await startTestApp(t, "sqlite", { create_accounts: "owner" });
  const [own, foreign] = [await app.createZone("own.example"), await app.createZone("foreign.example")];
  const { events, droppedCount } = collect(await openStore(t, app), { waitingMax: 20 });
  for (let n = 0; n < 30; n += 1) events.add(served(foreign, "/foreign", "another account"));
  assert.equal(await droppedCount(), 10);
  for (let n = 0; n < 8; n += 1) events.add(served(own, `/${n}`));
  assert.equal(await droppedCount(), 18, "those of the account with the most made room");
  await events.close();
  assert.equal((await pathsOf(app, own, {})).length, 8);
  assert.equal((await pathsOf(app, foreign, {})).length, 12);
});

test("the end of the process waits for a store that does not answer no longer than it may, and says what is lost", async (t) => {
  const db = await openSilent(t);
  const { events, logged } = collect(db, { closeMsMax: 100 });
  for (let n = 0; n < 3; n += 1) events.add(served("zone", "/"));
  await events.close();
  assert.match(logged.join(""), /"requests":3,"msg":"security events are lost with the process"/);
});

onComparedEngines("the events of an edge", (engine) => {
  test("those of a deleted zone are counted as lost, and take no others with them", async (t) => {
    const app = await startTestApp(t, engine);
    const [gone, stays] = [await app.createZone("gone.example"), await app.createZone("stays.example")];
    const { events, droppedCount } = collect(await openStore(t, app));
    await app.request("DELETE", `/zones/${gone}`);
    for (const zoneId of [gone, stays, gone, stays]) events.add(served(zoneId, "/both"));
    await events.close();
    assert.equal(await droppedCount(), 2);
    const query = `{ viewer { zones(filter: { zoneTag: "${stays}" }) { firewallEventsAdaptive(limit: 10, filter: {}) { clientRequestPath } } } }`;
    await until("the events are there", async () => {
      const { text } = await app.request("POST", "/graphql", { body: { query } });
      return text.split('"/both"').length === 3;
    });
  });

  test("of many requests in a second some are stored, say for how many they stand, and are counted as so many", async (t) => {
    const app = await startTestApp(t, engine);
    const zoneId = await app.createZone("example.com");
    const { events } = collect(await openStore(t, app), {
      sampler: new EventSampler({ whole: 10, random: () => 0, nowMs: () => 0 }),
    });
    for (let n = 0; n < 60; n += 1) events.add(served(zoneId, `/${n}`));
    await events.close();
    const query = `{ viewer { zones(filter: { zoneTag: "${zoneId}" }) {
      firewallEventsAdaptive(limit: 100, filter: { sampleInterval_gt: 1 }) { clientRequestPath sampleInterval }
      firewallEventsAdaptiveGroups(limit: 1, filter: {}) { count avg { sampleInterval } }
    } } }`;
    const { text } = await app.request("POST", "/graphql", { body: { query } });
    const { firewallEventsAdaptive, firewallEventsAdaptiveGroups } = JSON.parse(text).data.viewer.zones[0];
    const stored = firewallEventsAdaptive.map(
      (event: { clientRequestPath: string; sampleInterval: number }) =>
        `${event.clientRequestPath} ${event.sampleInterval}`,
    );
    assert.deepEqual(
      new Set(stored),
      new Set([
        ...[10, 12, 14, 16, 18].map((n) => `/${n} 2`),
        ...[20, 24, 28, 32, 36].map((n) => `/${n} 4`),
        ...[40, 48, 56].map((n) => `/${n} 8`),
      ]),
    );
    // The last of them would have stood for four more.
    assert.deepEqual(firewallEventsAdaptiveGroups, [{ count: 64, avg: { sampleInterval: 64 / 23 } }]);
  });

  test("events are stored though they wait in more than one batch", async (t) => {
    const app = await startTestApp(t, engine);
    const zoneId = await app.createZone("example.com");
    const db = await openStore(t, app);
    const { events, droppedCount } = collect(db, { sampler: new EventSampler({ whole: 1_200 }) });
    const long = "x".repeat(2_000);
    for (let n = 0; n < 1_200; n += 1) events.add(served(zoneId, `/${n}${long}`));
    await events.close();
    const rows = await db.read
      .selectFrom("security_events")
      .select("id")
      .where("zone_id", "=", zoneId)
      .execute();
    assert.deepEqual([rows.length, await droppedCount()], [1_200, 0]);
  });
});
