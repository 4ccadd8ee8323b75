import assert from "node:assert/strict";
import { test } from "node:test";

import Cloudflare, { BadRequestError } from "cloudflare";

import { startDnsServer } from "../support/dns-server.ts";
import { onComparedEngines, ownerToken, startTestApp, type TestApp } from "../support/harness.ts";

function clientOf(app: TestApp): Cloudflare {
  return new Cloudflare({ apiToken: ownerToken, apiEmail: null, apiKey: null, baseURL: app.baseUrl });
}

onComparedEngines("zone files and scans of the npm package cloudflare", (engine) => {
  test("a zone file is imported and exported, and a zone made of an export is the same", async (t) => {
    const app = await startTestApp(t, engine);
    const client = clientOf(app);
    const zone_id = await app.createZone("example.com");
    const file =
      'www.example.com. 300 IN A 127.0.0.1\nwww.example.com. 300 IN TXT "a text"\napi 1 A 192.0.2.1\n';
    const answer = await client.dns.records.import({ zone_id, file, proxied: "true" });
    assert.deepEqual(answer, {
      recs_added: 3,
      recs_added_by_type: { A: 2, TXT: 1 },
      total_records_parsed: 3,
    });
    const before = await recordsOf(client, zone_id);
    assert.deepEqual(before, [
      "A api.example.com 192.0.2.1 1 true",
      "A www.example.com 127.0.0.1 300 false",
      "TXT www.example.com a text 300 false",
    ]);

    const exported = await client.dns.records.export({ zone_id });
    assert.match(exported, /^example\.com\.\t3600\tIN\tSOA\t/m);
    await app.request("DELETE", `/zones/${zone_id}`);
    const again = await app.createZone("example.com");
    await client.dns.records.import({ zone_id: again, file: exported });
    assert.deepEqual(await recordsOf(client, again), before);
  });

  test("what is no zone file makes an error that names the line, and nothing is added", async (t) => {
    const app = await startTestApp(t, engine);
    const zone_id = await app.createZone("example.com");
    const file = 'www 300 IN A 192.0.2.1\nwww 300 IN TXT "open\n';
    await assert.rejects(clientOf(app).dns.records.import({ zone_id, file }), (error) => {
      assert.ok(error instanceof BadRequestError);
      const [{ code, message } = {}] = error.errors;
      assert.deepEqual([code, message], [9350, "Line 2: A quoted text has no closing quote."]);
      return true;
    });
    assert.deepEqual(await recordsOf(clientOf(app), zone_id), []);
  });

  test("a bad record of a zone file is passed over, and the others are added", async (t) => {
    const app = await startTestApp(t, engine);
    const zone_id = await app.createZone("example.com");
    const file = "www 300 IN A 192.0.2.1\nwww 300 IN A nowhere\n";
    const answer = await clientOf(app).dns.records.import({ zone_id, file });
    assert.deepEqual([answer.recs_added, answer.total_records_parsed], [1, 2]);
    assert.deepEqual(await recordsOf(clientOf(app), zone_id), ["A www.example.com 192.0.2.1 300 false"]);
  });

  test("a scan finds the records of the domain", async (t) => {
    const dns = await startDnsServer(t);
    dns.names.set("example.com", { a: ["192.0.2.1"] }).set("www.example.com", { cname: ["example.net"] });
    const app = await startTestApp(t, engine, { resolvers: [dns.address] });
    const client = clientOf(app);
    const zone_id = await app.createZone("example.com");
    const { recs_added, total_records_parsed } = await client.dns.records.scan({ zone_id });
    assert.deepEqual([recs_added, total_records_parsed], [2, 2]);
    assert.deepEqual(await recordsOf(client, zone_id), [
      "A example.com 192.0.2.1 1 false",
      "CNAME www.example.com example.net 1 false",
    ]);
  });
});

async function recordsOf(client: Cloudflare, zone_id: string): Promise<string[]> {
  const { result } = await client.dns.records.list({ zone_id, order: "name" });
  return result
    .map(({ type, name, content, ttl, proxied }) => `${type} ${name} ${content} ${ttl} ${proxied}`)
    .toSorted();
}
