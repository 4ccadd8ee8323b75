import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { openConnection, startFaultApp } from "../../test/support/fault-api.ts";

describe("on one connection, a fault", () => {
  test("closes it before the operation runs: nothing is received, nothing is changed", async (t) => {
    const app = await startFaultApp(t);
    await app.fault({ match: { method: "POST" }, effect: { type: "close", when: "before" } });
    const connection = openConnection(t, app.baseUrl);
    assert.match(await connection.send("GET", "/user"), /^HTTP\/1\.1 200 /);
    assert.equal(await connection.send("POST", "/zones", '{"name":"example.com"}'), "");
    assert.equal((await app.request("GET", "/zones")).body.result.length, 0);
  });

  test("closes it within the answer: less arrives than was announced, and the change is made", async (t) => {
    const app = await startFaultApp(t);
    await app.fault({ match: { method: "POST" }, effect: { type: "close", when: "within" } });
    const received = await openConnection(t, app.baseUrl).send("POST", "/zones", '{"name":"example.com"}');
    const announced = Number(/^content-length: (\d+)/im.exec(received)?.[1]);
    const body = received.slice(received.indexOf("\r\n\r\n") + 4);
    assert.ok(announced > 0 && body.length > 0 && body.length < announced, received);
    assert.equal((await app.request("GET", "/zones")).body.result.length, 1);
  });

  test("closes it after a whole answer that announced nothing of the kind", async (t) => {
    const app = await startFaultApp(t);
    await app.fault({ match: { next: 1 }, effect: { type: "close", when: "after" } });
    const connection = openConnection(t, app.baseUrl);
    const received = await connection.send("GET", "/user");
    assert.match(received, /^HTTP\/1\.1 200 /);
    assert.doesNotMatch(received, /^connection: close/im);
    const all = await connection.ended();
    const announced = Number(/^content-length: (\d+)/im.exec(all)?.[1]);
    assert.equal(Buffer.byteLength(all.slice(all.indexOf("\r\n\r\n") + 4)), announced);
  });

  test("loses the answer: nothing is received, and the change is made", async (t) => {
    const app = await startFaultApp(t);
    await app.fault({ match: { method: "POST" }, effect: { type: "lost_answer" } });
    assert.equal(await openConnection(t, app.baseUrl).send("POST", "/zones", '{"name":"example.com"}'), "");
    assert.equal((await app.request("GET", "/zones")).body.result.length, 1);
    const [entry] = await app.journal({ method: "POST" });
    assert.equal(entry.status, null);
    assert.equal(entry.answer, null);
    assert.deepEqual(entry.body, { name: "example.com" });
  });

  test("sends the body in parts, of which the first arrives before the last was sent", async (t) => {
    const app = await startFaultApp(t);
    await app.fault({ match: { next: 1 }, effect: { type: "slow_body", bytes_per_second: 2_000 } });
    const connection = openConnection(t, app.baseUrl);
    let parts = 0;
    connection.socket.on("data", () => (parts += 1));
    const received = await connection.send("GET", "/user");
    assert.match(received, /^HTTP\/1\.1 200 /);
    assert.ok(parts > 2, `${parts} parts`);
    assert.equal(JSON.parse(received.slice(received.indexOf("\r\n\r\n") + 4)).success, true);
  });

  test("delays a request and leaves the answers in their order", async (t) => {
    const app = await startFaultApp(t);
    await app.fault({
      match: { operation: "listZones" },
      effect: { type: "latency", ms: { min: 20, max: 40 } },
    });
    const connection = openConnection(t, app.baseUrl);
    const { pathname } = new URL(app.baseUrl);
    connection.socket.write(`GET ${pathname}/zones HTTP/1.1\r\nhost: x\r\n\r\n`);
    connection.socket.write(`GET ${pathname}/ips HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);
    const statuses = [...(await connection.ended()).matchAll(/HTTP\/1\.1 (\d+)/g)].map(
      ([, status]) => status,
    );
    assert.deepEqual(statuses, ["400", "200"]);
    const [fault] = (await app.control("GET", "/faults")).body.result;
    assert.equal(fault.acted, 1);
    const operations = (await app.journal()).map(({ operation }) => operation as string);
    assert.deepEqual(operations, ["listZones", "listEdgeAddresses"]);
  });
});
