import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import { startDnsServer } from "../../../test/support/dns-server.ts";
import {
  onComparedEngines,
  startTestApp,
  type Engine,
  type TestAnswer,
} from "../../../test/support/harness.ts";
import type { DnsRecord } from "../dns-records/dns-records.ts";

/** The zone example.com, whose domain has three addresses and a mail server elsewhere. */
async function startReview(t: TestContext, engine: Engine) {
  const dns = await startDnsServer(t);
  dns.names
    .set("example.com", { a: ["192.0.2.1"], mx: [{ preference: 10, exchange: "mx.example.net" }] })
    .set("www.example.com", { a: ["192.0.2.2"] })
    .set("mail.example.com", { a: ["192.0.2.3"] });
  const app = await startTestApp(t, engine, { resolvers: [dns.address] });
  const path = `/zones/${await app.createZone("example.com")}/dns_records`;
  const records = async (below: string): Promise<DnsRecord[]> =>
    (await app.request("GET", `${path}${below}`)).body.result;
  return {
    app,
    path,
    dns,
    trigger: () => app.request("POST", `${path}/scan/trigger`),
    found: () => records("/scan/review"),
    stored: () => records("?order=name"),
    review: (body: object): Promise<TestAnswer> => app.request("POST", `${path}/scan/review`, { body }),
  };
}

const shown = (records: readonly DnsRecord[]): string[] =>
  records.map(({ name, type, content }) => `${name} ${type} ${content}`).toSorted();

onComparedEngines("records that a scan found", (engine) => {
  test("wait for a review without being in the zone, apart from those that it has", async (t) => {
    const { app, path, trigger, found, stored } = await startReview(t, engine);
    await app.request("POST", path, { body: { type: "A", name: "www", content: "192.0.2.2" } });
    const { status, body } = await trigger();
    assert.deepEqual([status, body.result], [200, null]);
    assert.deepEqual(shown(await found()), [
      "example.com A 192.0.2.1",
      "example.com MX mx.example.net",
      "mail.example.com A 192.0.2.3",
    ]);
    assert.deepEqual(shown(await stored()), ["www.example.com A 192.0.2.2"]);
  });

  test("are added when they are accepted, as they are or changed, and forgotten when they are rejected", async (t) => {
    const { trigger, found, stored, review } = await startReview(t, engine);
    await trigger();
    const all = await found();
    const of = (name: string, type: string): DnsRecord => {
      const record = all.find((each) => each.name === name && each.type === type);
      assert.ok(record);
      return record;
    };
    const { status, body } = await review({
      accepts: [of("example.com", "A"), { ...of("www.example.com", "A"), ttl: 300, content: "192.0.2.9" }],
      rejects: [{ id: of("mail.example.com", "A").id }],
    });
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(shown(body.result.accepts), ["example.com A 192.0.2.1", "www.example.com A 192.0.2.9"]);
    assert.deepEqual(body.result.rejects, [of("mail.example.com", "A").id]);
    assert.deepEqual(shown(await stored()), ["example.com A 192.0.2.1", "www.example.com A 192.0.2.9"]);
    assert.deepEqual(shown(await found()), ["example.com MX mx.example.net"]);
  });

  test("stay as they are when one of a review cannot be", async (t) => {
    const { trigger, found, stored, review } = await startReview(t, engine);
    await trigger();
    const before = await found();
    const [first] = before;
    assert.ok(first);
    const unknown = await review({ accepts: [first], rejects: [{ id: "0".repeat(32) }] });
    assert.deepEqual([unknown.status, unknown.body.errors[0]?.code], [404, 81044]);
    assert.equal(unknown.body.errors[0]?.source?.pointer, "/rejects/0/id");
    const invalid = await review({ accepts: [first, { type: "A", name: "x", content: "no address" }] });
    assert.equal(invalid.status, 400);
    assert.equal(invalid.body.errors[0]?.source?.pointer, "/accepts/1/content");
    const nothing = await review({});
    assert.deepEqual([nothing.status, nothing.headers.get("cf-auditlog-id")], [200, null]);
    assert.deepEqual(await found(), before);
    assert.deepEqual(await stored(), []);
  });

  test("of an earlier scan are forgotten at the next one", async (t) => {
    const { dns, trigger, found } = await startReview(t, engine);
    await trigger();
    dns.names.clear();
    await trigger();
    assert.deepEqual(await found(), []);
  });
});
