import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";

import { startDnsServer, type DnsAnswer, type DnsServer } from "../../../test/support/dns-server.ts";
import {
  onComparedEngines,
  startTestApp,
  type Engine,
  type TestAnswer,
  type TestApp,
} from "../../../test/support/harness.ts";
import type { DnsRecord } from "../dns-records/dns-records.ts";

interface Scan {
  readonly app: TestApp;
  readonly dns: DnsServer;
  readonly scan: () => Promise<TestAnswer>;
  readonly create: (body: object) => Promise<DnsRecord>;
  readonly list: () => Promise<DnsRecord[]>;
}

/** The zone example.com on a server whose only resolver knows nothing yet. */
async function startScan(t: TestContext, engine: Engine, others?: DnsAnswer): Promise<Scan> {
  const dns = await startDnsServer(t, others);
  const app = await startTestApp(t, engine, { resolvers: [dns.address] });
  const path = `/zones/${await app.createZone("example.com")}/dns_records`;
  return {
    app,
    dns,
    scan: () => app.request("POST", `${path}/scan`),
    create: async (body) => (await app.request("POST", path, { body })).body.result,
    list: async () => (await app.request("GET", `${path}?order=name`)).body.result,
  };
}

function shown({ name, type, priority, content }: DnsRecord): string {
  return [name, type, priority, content].filter((part) => part !== undefined).join(" ");
}

onComparedEngines("scanDnsRecords", (engine) => {
  test("adds what the resolver knows of the domain and of usual names, and says how many of each type", async (t) => {
    const { dns, scan, list } = await startScan(t, engine);
    dns.names
      .set("example.com", {
        a: ["192.0.2.1", "192.0.2.2"],
        mx: [{ preference: 10, exchange: "mx.example.net" }],
        txt: ["v=spf1 -all", ["cut in ", "two"]],
        caa: [
          { issuerCritical: true, tag: "issue", value: "ca.example.net; validationmethods=dns-01,http-01" },
        ],
        ns: ["ns1.elsewhere.example"],
      })
      .set("www.example.com", { cname: ["edge.example.net"], a: ["198.51.100.7"] })
      .set("mail.example.com", { a: ["192.0.2.3"] })
      .set("_dmarc.example.com", { txt: ["v=DMARC1; p=reject"] });

    const { status, body } = await scan();
    assert.equal(status, 200);
    assert.deepEqual(body.result, {
      recs_added: 9,
      recs_added_by_type: { A: 3, CAA: 1, CNAME: 1, MX: 1, TXT: 3 },
      total_records_parsed: 9,
    });
    assert.deepEqual((await list()).map(shown).toSorted(), [
      "_dmarc.example.com TXT v=DMARC1; p=reject",
      "example.com A 192.0.2.1",
      "example.com A 192.0.2.2",
      'example.com CAA 128 issue "ca.example.net; validationmethods=dns-01,http-01"',
      "example.com MX 10 mx.example.net",
      "example.com TXT cut in two",
      "example.com TXT v=spf1 -all",
      "mail.example.com A 192.0.2.3",
      "www.example.com CNAME edge.example.net",
    ]);
  });

  test("adds only what is missing and can stand beside the records of the zone", async (t) => {
    const { dns, scan, create, list } = await startScan(t, engine);
    dns.names
      .set("example.com", { a: ["192.0.2.1"] })
      .set("www.example.com", { a: ["192.0.2.9"] })
      .set("mail.example.com", { cname: ["mail.example.net"] })
      .set("ftp.example.com", { a: ["192.0.2.3"] });
    const kept = [
      await create({ type: "A", name: "@", content: "192.0.2.1", ttl: 300, comment: "mine" }),
      await create({ type: "CNAME", name: "www", content: "other.example.net" }),
      await create({ type: "A", name: "mail", content: "192.0.2.5" }),
    ];

    const { result: first, messages } = (await scan()).body;
    assert.deepEqual(first, { recs_added: 1, recs_added_by_type: { A: 1 }, total_records_parsed: 4 });
    assert.deepEqual(
      (messages as { code: number; message: string }[])
        .map(({ code, message }) => `${code} ${message.split(":")[0]}`)
        .toSorted(),
      ["81053 mail.example.com", "81054 www.example.com", "81058 example.com"],
    );
    const again = (await scan()).body.result;
    assert.deepEqual(again, { recs_added: 0, recs_added_by_type: {}, total_records_parsed: 4 });

    const records = await list();
    assert.deepEqual(
      records.filter(({ name }) => name !== "ftp.example.com").toSorted(byId),
      kept.toSorted(byId),
    );
    assert.equal(records.length, 4);
  });

  test("finds nothing where the resolver fails or knows nothing, and that is no error", async (t) => {
    for (const others of [undefined, "servfail"] as const) {
      const { scan, list } = await startScan(t, engine, others);
      const { status, body } = await scan();
      assert.equal(status, 200);
      assert.deepEqual(body.result, { recs_added: 0, recs_added_by_type: {}, total_records_parsed: 0 });
      assert.deepEqual(await list(), []);
    }
  });

  test("of a zone that does not exist is 404 code 1001, and nobody is asked", async (t) => {
    const { app, dns } = await startScan(t, engine);
    const { status, body } = await app.request("POST", `/zones/${"0".repeat(32)}/dns_records/scan`);
    assert.deepEqual([status, body.errors], [404, [{ code: 1001, message: "Invalid zone identifier" }]]);
    assert.deepEqual(dns.asked, []);
  });
});

describe("scanDnsRecords with a silent resolver", () => {
  test("ends after five seconds with what was found by then", async (t) => {
    const { dns, scan } = await startScan(t, "sqlite", "silence");
    dns.names.set("www.example.com", { cname: ["edge.example.net"] });
    const begin = performance.now();
    const { status, body } = await scan();
    const seconds = (performance.now() - begin) / 1000;
    assert.equal(status, 200);
    assert.deepEqual(body.result, {
      recs_added: 1,
      recs_added_by_type: { CNAME: 1 },
      total_records_parsed: 1,
    });
    // To wait for every look-up would take more than a minute.
    assert.ok(seconds >= 4.9 && seconds < 30, `${seconds} seconds`);
  });
});

function byId(one: { readonly id: string }, other: { readonly id: string }): number {
  return one.id < other.id ? -1 : 1;
}
