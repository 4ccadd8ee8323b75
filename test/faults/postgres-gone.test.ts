import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";

import { asUnavailable } from "../../src/storage/errors.ts";
import { openDatabase } from "../../src/storage/open-database.ts";
import {
  newDirectory,
  newSecretKeyFile,
  sendRequest,
  startTestApp,
  until,
  type TestApp,
} from "../support/harness.ts";
import { createDatabase, startPostgres, type TestPostgres } from "../support/postgres.ts";
import { roundsOr } from "../support/rounds.ts";
import { addRow, rowNames } from "../support/rows.ts";
import { ownerFlags, spawnEdge, spawnServer } from "../support/spawned-server.ts";
import { startLine } from "../support/tcp-line.ts";
import { RecordWriters } from "./record-writers.ts";

/** A server that has just come back may let some wait in vain. */
const inService = { connectionWaitMs: 5_000 };
const unavailable = {
  success: false,
  errors: [{ code: 10503, message: "The database is not available at the moment. Please try again." }],
  messages: [],
  result: null,
};

async function probe(app: TestApp, path: string): Promise<number> {
  return (await fetch(new URL(path, app.baseUrl))).status;
}

describe("a PostgreSQL server that goes away", () => {
  let postgres: TestPostgres;
  let database = "";
  let databases = 0;
  before(async () => (postgres = await startPostgres()));
  beforeEach(async () => (database = await createDatabase(postgres.url, `gone_${(databases += 1)}`)));
  after(() => postgres.stop());

  test("makes reads and writes 503 until it is back, and the server needs no restart", async (t) => {
    const app = await startTestApp(t, "postgres", { database, gateway_auth: "token" }, inService);
    const zone = await app.createZone("example.com");
    const path = `/zones/${zone}/dns_records`;
    const record = { type: "A", name: "a", content: "192.0.2.1", ttl: 1 };
    assert.equal(await probe(app, "/readyz"), 200);

    await postgres.kill();
    for (const [method, target, body] of [
      ["GET", "/zones", undefined],
      ["GET", `/zones/${zone}`, undefined],
      ["POST", "/zones", { name: "example.org" }],
      ["POST", path, record],
      ["DELETE", `/zones/${zone}`, undefined],
    ] as const) {
      const answer = await app.request(method, target, { body });
      assert.equal(answer.status, 503, `${method} ${target}: ${answer.text}`);
      assert.deepEqual(answer.body, unavailable);
    }
    const rpc = await fetch(`${app.gatewayUrl}/v1/sepolia`, {
      method: "POST",
      headers: { authorization: `Bearer ${"unknown-".repeat(5)}` },
      body: '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}',
    });
    assert.equal(rpc.status, 503);
    assert.match(await rpc.text(), /"code":-32002,"message":"The database is not available/);
    assert.equal(await probe(app, "/readyz"), 503);
    assert.equal(await probe(app, "/healthz"), 200);
    assert.equal((await sendRequest(app.baseUrl, "GET", "/ips", { headers: {} })).status, 200);

    await postgres.start();
    await until("the server is ready", async () => (await probe(app, "/readyz")) === 200);
    const zones = await app.request("GET", "/zones");
    assert.deepEqual(
      zones.body.result.map(({ name }: { name: string }) => name),
      ["example.com"],
    );
    assert.equal((await app.request("POST", path, { body: record })).status, 200);
  });

  test("under 16 writers answers each of them, and keeps what was acknowledged", async (t) => {
    const app = await startTestApp(t, "postgres", { database }, inService);
    const records = new RecordWriters(await app.createZone("example.com"), 16);
    const rounds = roundsOr(2);
    for (let round = 0; round < rounds; round += 1) {
      const enough = records.counts.ok + 50;
      const writing = records.write(app.baseUrl);
      // All of them may have waited in vain before that.
      await Promise.race([writing, until("enough changes", () => records.counts.ok >= enough)]);
      await postgres.kill();
      await writing;

      await postgres.start();
      await until("the server is ready", async () => (await probe(app, "/readyz")) === 200);
      await records.settle(app.baseUrl);
    }
    const { ok, failed, unknown } = records.counts;
    assert.equal(failed, 0);
    assert.ok(ok >= 50);
    t.diagnostic(`${rounds} kills: ${ok} changes acknowledged, 0 lost; ${unknown} cut short, none by halves`);
  });

  test("in the middle of a transaction fails that transaction, and nothing of it is stored", async (t) => {
    const db = await openDatabase({ engine: "postgres", url: database });
    t.after(() => db.close());
    await db.migrate();
    const broken = db.transaction(async (tx) => {
      await addRow(tx, "gone");
      await postgres.kill();
      await addRow(tx, "gone as well");
    });
    await assert.rejects(broken, (error) => asUnavailable(error) !== undefined);

    await postgres.start();
    assert.deepEqual(await rowNames(db.read), []);
    await db.transaction((tx) => addRow(tx, "kept"));
    assert.deepEqual(await rowNames(db.read), ["kept"]);
  });

  test("before the commit fails the transaction too, whose work was done", async (t) => {
    const db = await openDatabase({ engine: "postgres", url: database });
    t.after(() => db.close());
    await db.migrate();
    const broken = db.transaction(async (tx) => {
      await addRow(tx, "gone");
      await postgres.kill();
    });
    await assert.rejects(broken, (error) => asUnavailable(error) !== undefined);
    await postgres.start();
    assert.deepEqual(await rowNames(db.read), []);
  });

  test("without a word makes all requests 503, those in flight too, until it is heard again", async (t) => {
    const line = await startLine(t, database, "zoneward");
    const app = await startTestApp(
      t,
      "postgres",
      { database: line.url },
      { ...inService, silenceMsMax: 5_000 },
    );
    const zone = await app.createZone("example.com");
    line.silence();
    const record = { type: "A", name: "a", content: "192.0.2.1", ttl: 1 };
    const requests = [
      // More than the pool has connections.
      ...Array.from({ length: 20 }, () => app.request("GET", `/zones/${zone}`)),
      app.request("POST", `/zones/${zone}/dns_records`, { body: record }),
    ];
    for (const { status, body } of await Promise.all(requests)) {
      assert.equal(status, 503);
      assert.deepEqual(body, unavailable);
    }
    assert.equal(await probe(app, "/readyz"), 503);

    line.carry();
    await until("the server is ready", async () => (await probe(app, "/readyz")) === 200);
    const { body } = await app.request("GET", `/zones/${zone}/dns_records`);
    assert.deepEqual(body.result, []);
    assert.equal((await app.request("POST", `/zones/${zone}/dns_records`, { body: record })).status, 200);
    // Before the line.
    await app.close();
  });

  test("without a word keeps no process from ending as it does otherwise, and no edge of its own", async (t) => {
    const line = await startLine(t, database, "zoneward");
    const shared = [`--database=${line.url}`, `--secret-key-file=${newSecretKeyFile(newDirectory(t))}`];
    const flags = () => [...shared, `--data=${newDirectory(t)}`, "--edge-http=127.0.0.1:0"];
    const server = await spawnServer(t, [...flags(), ...ownerFlags]);
    const edge = await spawnEdge(t, flags());
    line.silence();
    assert.deepEqual(await Promise.all([server.end("SIGTERM"), edge.end("SIGTERM")]), [0, 0]);
  });
});
