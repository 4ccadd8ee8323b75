import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";

import { asUnavailable } from "../../src/storage/errors.ts";
import { openDatabase } from "../../src/storage/database.ts";
import { sendRequest, startTestApp, until, type TestApp } from "../harness.ts";
import { createDatabase, startPostgres, type TestPostgres } from "../postgres.ts";
import { addRow, rowNames } from "../rows.ts";

const unavailable = {
  success: false,
  errors: [{ code: 10503, message: "The database is not available at the moment. Please try again." }],
  messages: [],
  result: null,
};

async function probe(app: TestApp, path: string): Promise<number> {
  return (await fetch(new URL(path, app.baseUrl))).status;
}

describe("a PostgreSQL server that is killed", () => {
  let postgres: TestPostgres;
  let database = "";
  let databases = 0;
  before(async () => (postgres = await startPostgres()));
  beforeEach(async () => (database = await createDatabase(postgres.url, `gone_${(databases += 1)}`)));
  after(() => postgres.stop());

  test("makes reads and writes 503 until it is back, and the server needs no restart", async (t) => {
    const app = await startTestApp(t, "postgres", { database });
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

  test("under 16 writers answers each of them, and keeps what it acknowledged", async (t) => {
    const app = await startTestApp(t, "postgres", { database });
    const path = `/zones/${await app.createZone("example.com")}/dns_records`;
    const acknowledged: string[] = [];
    let isUp = true;
    const write = async (writer: number): Promise<void> => {
      for (let record = 0; isUp; record += 1) {
        const name = `w${writer}-${record}.example.com`;
        const body = { type: "A", name, content: "192.0.2.1", ttl: 1 };
        const { status, text } = await app.request("POST", path, { body });
        assert.ok(status === 200 || status === 503, text);
        if (status === 200) acknowledged.push(name);
        else isUp = false;
      }
    };
    const writing = Promise.all(Array.from({ length: 16 }, (_, writer) => write(writer)));
    await Promise.race([writing, until("enough records", () => acknowledged.length >= 50)]);
    await postgres.kill();
    await writing;
    assert.equal(isUp, false);

    await postgres.start();
    await until("the server is ready", async () => (await probe(app, "/readyz")) === 200);
    const listed = await app.request("GET", `${path}?per_page=5000`);
    const names = new Set(listed.body.result.map(({ name }: { name: string }) => name));
    assert.deepEqual(
      acknowledged.filter((name) => !names.has(name)),
      [],
    );
    assert.equal(listed.body.result_info?.total_count, names.size);
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
});
