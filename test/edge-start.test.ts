import assert from "node:assert/strict";
import { test } from "node:test";

import { sql } from "kysely";

import { untilAllIssued } from "./support/certificates.ts";
import { readyOf, startControl, untilVisit, visit } from "./support/edge-process.ts";
import { until, type TestApp } from "./support/harness.ts";
import { besideServer } from "./support/store.ts";

/** Lets nobody read zones until the returned function is called. */
async function holdZones(app: TestApp): Promise<() => Promise<void>> {
  const held = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const holding = besideServer(app, async (tx) => {
    await sql`lock table custom_certificates in access exclusive mode`.execute(tx);
    held.resolve();
    await released.promise;
  });
  await held.promise;
  return async () => {
    released.resolve();
    await holding;
  };
}

const patient = { silenceMsMax: 120_000 };

test("an edge listens before it has read all zones, and whoever comes first waits for theirs and is judged by its rules", async (t) => {
  const { app, zoneId, addZone, block, startWith } = await startControl(t);
  const other = await addZone("example.net");
  const alias = { type: "CNAME", name: "alias", content: "www.example.net" };
  await app.request("POST", `/zones/${zoneId}/dns_records`, { body: alias });
  await untilAllIssued(app);
  await block("/before");
  const release = await holdZones(app);
  const edge = await startWith(patient);
  t.after(() => edge.close());
  const [http = "", https = "", judge = ""] = [
    ...edge.edgeHttpAddresses,
    ...edge.edgeHttpsAddresses,
    ...edge.edgeJudgeAddresses,
  ];
  const asked = {
    "x-forwarded-method": "GET",
    "x-forwarded-proto": "http",
    "x-forwarded-host": "www.example.net",
    "x-forwarded-uri": "/during",
    "x-forwarded-for": "192.0.2.7",
  };
  let answered = 0;
  const waiting = [
    visit(http, "/before"),
    visit(http, "/", { host: "alias.example.com" }),
    visit(https, "/before", { isSecure: true }),
    fetch(`http://${judge}/traefik`, { headers: asked }),
  ].map(async (answer) => {
    const { status } = await answer;
    answered += 1;
    return status;
  });
  assert.equal((await visit(http, "/", { host: "www.example.org" })).status, 409);
  await other.block("/during");
  const { status, zones, unread_zones } = await readyOf(edge);
  assert.deepEqual([status, zones, unread_zones, answered], ["ok", 2, 2, 0]);
  const metrics = await (await fetch(`${edge.probesUrl}/metrics`)).text();
  assert.match(metrics, /^zoneward_edge_zones_unread 2$/m);

  await release();
  assert.deepEqual(await Promise.all(waiting), [403, 200, 403, 403]);
  await until("all zones are read", async () => (await readyOf(edge)).unread_zones === 0);
  assert.equal((await visit(http, "/during", { host: "www.example.net" })).status, 403);
});

test("zones that an edge has not read when the database goes away are served as an earlier process kept them, or are 530 until it is back", async (t) => {
  const { app, addZone, block, line, start, startWith } = await startControl(t);
  await block("/admin");
  const earlier = await start();
  await untilVisit(earlier, "/admin", 403);
  await earlier.close();
  await addZone("example.net");
  const release = await holdZones(app);
  const edge = await startWith(patient);
  t.after(() => edge.close());
  const first = visit(edge.edgeHttpAddresses[0] ?? "", "/admin");
  const other = visit(edge.edgeHttpAddresses[0] ?? "", "/", { host: "www.example.net" });
  assert.equal((await readyOf(edge)).unread_zones, 2);

  line.cut();
  assert.deepEqual([(await first).status, (await other).status], [403, 530]);
  const { status, zones, unread_zones } = await readyOf(edge);
  assert.deepEqual([status, zones, unread_zones], ["behind", 2, 1]);
  await release();
  line.carry();
  await untilVisit(edge, "/", 200, "www.example.net");
  await until("the edge has read all zones", async () => {
    const ready = await readyOf(edge);
    return ready.status === "ok" && ready.unread_zones === 0;
  });
  await block("/other");
  await untilVisit(edge, "/other", 403);
});
