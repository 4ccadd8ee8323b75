import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { dirname } from "node:path";
import { test, type TestContext } from "node:test";

import { sql } from "kysely";
import { pino } from "pino";

import type { ZoneDocument } from "../src/core/documents/zone-document.ts";
import { createSecretBox } from "../src/secrets/secret-box.ts";
import type { EdgeProcess } from "../src/server/edge-process.ts";
import { EdgeSnapshot } from "../src/planes/edge/edge-snapshot.ts";
import {
  readyOf,
  startControl,
  untilKept,
  untilVisit,
  visit,
  type DatabaseWaits,
} from "./support/edge-process.ts";
import { until } from "./support/harness.ts";
import { besideServer } from "./support/store.ts";

const otherHost = "www.example.net";

/** Makes the rules of a zone, as they are stored, what `change` says. */
async function damageRules(
  { app, zoneId }: Pick<Awaited<ReturnType<typeof startControl>>, "app" | "zoneId">,
  change: "no JSON" | "no expression",
): Promise<void> {
  await besideServer(app, (tx, publication) => {
    publication.zone(zoneId, ["rules"]);
    return sql`update ruleset_versions
      set rules = ${change === "no JSON" ? sql`'['` : sql`replace(rules, 'http.request.uri.path', 'http.no_such_field')`}
      where ruleset_id in (select id from rulesets where zone_id = ${zoneId})`.execute(tx);
  });
}

/** Two zones, of which an edge serves rules that block `/admin` each. */
async function startBlocking(t: TestContext, waits: DatabaseWaits = {}) {
  const control = await startControl(t, waits);
  const other = await control.addZone("example.net");
  await control.block("/admin");
  await other.block("/admin");
  const edge = await control.start();
  await untilVisit(edge, "/admin", 403);
  await untilVisit(edge, "/admin", 403, otherHost);
  await untilKept(edge);
  return { ...control, other, edge };
}

/**
 * Waits until the metrics of an edge count so many zones as served in an earlier version: it reads them in no certain
 * order.
 */
async function untilStale({ probesUrl }: Pick<EdgeProcess, "probesUrl">, zones: number): Promise<void> {
  await until(`${zones} zones are stale`, async () => {
    const metrics = await (await fetch(`${probesUrl}/metrics`)).text();
    return Number(/^zoneward_edge_zones_stale (\d+)$/m.exec(metrics)?.[1]) === zones;
  });
}

for (const change of ["no JSON", "no expression"] as const) {
  test(`a zone whose stored rules are ${change} stays as it was, and keeps no other zone from its changes, also where the edge starts`, async (t) => {
    const control = await startBlocking(t);
    let { edge } = control;
    await damageRules(control, change);
    await control.other.block("/other");
    await untilVisit(edge, "/other", 403, otherHost);
    await untilVisit(edge, "/admin", 403);
    await untilStale(edge, 1);
    assert.equal((await readyOf(edge)).status, "ok");
    await edge.close();

    edge = await control.start();
    t.after(() => edge.close());
    await untilVisit(edge, "/other", 403, otherHost);
    await untilVisit(edge, "/admin", 403);
    await control.other.block("/again");
    await untilVisit(edge, "/again", 403, otherHost);
    await untilKept(edge);
    await edge.close();

    control.line.cut();
    edge = await control.start();
    await untilVisit(edge, "/admin", 403);
    await untilVisit(edge, "/again", 403, otherHost);
    control.line.carry();
    await control.other.block("/back");
    await untilVisit(edge, "/back", 403, otherHost);
    await untilVisit(edge, "/admin", 403);
    await untilStale(edge, 1);
    await control.app.request("DELETE", `/zones/${control.zoneId}`);
    await untilVisit(edge, "/admin", 409);
    await untilStale(edge, 0);
  });
}

test("all threads of an edge serve what was kept while the store is away, and follow it once it is back", async (t) => {
  const control = await startControl(t);
  await control.block("/admin");
  const workers = "--edge-workers=2";
  const first = await control.start(workers);
  await untilVisit(first, "/admin", 403);
  await untilKept(first);
  await first.close();
  control.line.cut();
  const edge = await control.start(workers);
  t.after(() => edge.close());
  const statuses = async (path: string): Promise<ReadonlySet<number>> => {
    const [address = ""] = edge.edgeHttpAddresses;
    // Enough connections for each thread to get some.
    const all = await Promise.all(Array.from({ length: 24 }, () => visit(address, path)));
    return new Set(all.map(({ status }) => status));
  };
  assert.deepEqual(await statuses("/admin"), new Set([403]));
  control.line.carry();
  await control.block("/back");
  await until("all threads follow", async () => {
    const found = await statuses("/back");
    return found.size === 1 && found.has(403);
  });
});

test("edges that share a data directory leave a snapshot from which either starts", async (t) => {
  const { start, block, other, edge: first, line, file } = await startBlocking(t);
  await first.close();
  const edges = await Promise.all([start(), start(), start()]);
  await block("/second");
  for (const edge of edges) await untilVisit(edge, "/second", 403);
  await edges[0].close();
  await other.block("/third");
  for (const edge of edges.slice(1)) await untilVisit(edge, "/third", 403, otherHost);
  await edges[1].close();
  await block("/fourth");
  await untilVisit(edges[2], "/fourth", 403);
  await edges[2].close();
  assert.deepEqual(readdirSync(dirname(file)), ["edge.snapshot"]);

  line.cut();
  const edge = await start();
  t.after(edge.close);
  await untilVisit(edge, "/fourth", 403);
  await untilVisit(edge, "/third", 403, otherHost);
});

test("a zone that was deleted while the edge was away is served until the database says so, and is then kept no longer", async (t) => {
  const { app, zoneId, start, edge: first, line, file } = await startBlocking(t);
  await first.close();
  await app.request("DELETE", `/zones/${zoneId}`);
  line.cut();
  let edge = await start();
  t.after(() => edge.close());
  await untilVisit(edge, "/admin", 403);
  line.carry();
  await untilVisit(edge, "/admin", 409);
  await untilKept(edge);
  await edge.close();
  line.cut();
  edge = await start();
  await untilVisit(edge, "/admin", 409);
  await untilVisit(edge, "/admin", 403, otherHost);
  assert.ok(existsSync(file));
});

test("what another version of Zoneward kept is served, and read again once the database is back", async (t) => {
  const { zoneId, start, secret_key_file, edge: first, line, file } = await startBlocking(t);
  await first.close();
  const secretBox = createSecretBox({ kind: "file", file: secret_key_file });
  const snapshot = new EdgeSnapshot(file, secretBox, pino({ level: "silent" }));
  const { version, value } = snapshot.find("zone", zoneId) ?? assert.fail();
  const { name, accountId } = (value as ZoneDocument).facts;
  const changed: unknown = JSON.parse(JSON.stringify(value).replaceAll("/admin", "/before"));
  const ofAnother = version.replace(/^\["[^"]*"/, '["0.0.1"');
  await snapshot.put("zone", zoneId, ofAnother, changed, { id: zoneId, name, accountId });
  snapshot.close();

  line.cut();
  const edge = await start();
  t.after(edge.close);
  await untilVisit(edge, "/before", 403);
  line.carry();
  await untilVisit(edge, "/admin", 403);
  await untilVisit(edge, "/before", 200);
});

test("an edge says that it is behind while its connections to the database are silent, and goes on by new ones", async (t) => {
  const { block, edge, line } = await startBlocking(t, { connectionWaitMs: 5_000, silenceMsMax: 5_000 });
  t.after(edge.close);
  line.silence();
  await until("the edge says that it is behind", async () => (await readyOf(edge)).status === "behind");
  await untilVisit(edge, "/admin", 403);
  line.abandon();
  await block("/after");
  line.carry();
  await untilVisit(edge, "/after", 403);
  await until("the edge is no longer behind", async () => (await readyOf(edge)).status === "ok");
});
