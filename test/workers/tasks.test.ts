import assert from "node:assert/strict";
import { describe, test } from "node:test";

import {
  onEachEngine,
  ownerToken,
  sendRequest,
  startOfTime,
  startTestApp,
  type TestApp,
} from "../support/harness.ts";
import { harOf, replay, scriptInjection, zoneOf } from "../support/replay-api.ts";
import { newStore, ownerFlags, spawnServer } from "../support/spawned-server.ts";
import { fieldPart, formRequest, importFile } from "../support/zone-file-form.ts";

/** Far above what is done where it was asked for. */
const records = 3_000;

function zoneFile(count: number, address = "192.0.2.1"): string {
  return Array.from({ length: count }, (_, n) => `host-${n} 300 A ${address}\n`).join("");
}

/** Checks that a client cannot tell that a large file is read in a worker. */
async function importsWhole(app: TestApp): Promise<void> {
  const zone = await app.createZone("example.com");
  const path = `/zones/${zone}/dns_records`;
  const countOf = async () => (await app.request("GET", `${path}?per_page=5`)).body.result_info?.total_count;
  assert.equal(await countOf(), 0);
  const [answer, beside] = await Promise.all([
    importFile(app, zone, zoneFile(records)),
    app.request("POST", path, { body: { type: "A", name: "beside", content: "192.0.2.2" } }),
  ]);
  assert.equal(beside.status, 200, beside.text);
  assert.deepEqual(answer.body.result, {
    recs_added: records,
    recs_added_by_type: { A: records },
    total_records_parsed: records,
  });
  // Not the page that was read before.
  assert.equal(await countOf(), records + 1);
  const { body } = await app.request("GET", `/accounts/${app.owner.accountId}/audit_logs`);
  const entry = body.result.find(({ action }: { action: { type: string } }) => action.type === "rec_import");
  assert.equal(entry.id, answer.headers.get("cf-auditlog-id"));
  assert.equal(Date.parse(entry.when), startOfTime.getTime());

  const exported = await app.request("GET", `${path}/export`);
  assert.equal(exported.text.match(/\tA\t/g)?.length, records + 1);
  const again = await importFile(app, zone, exported.text);
  assert.deepEqual(
    [again.body.result.recs_added, again.body.result.total_records_parsed > records],
    [0, true],
  );

  const broken = await importFile(app, zone, `${zoneFile(records, "192.0.2.9")}host-7 300 TXT "open`);
  assert.deepEqual([broken.status, broken.body.errors[0]?.code], [400, 9350], broken.text);
  assert.match(broken.body.errors[0]?.message ?? "", new RegExp(`^Line ${records + 1}: `));
  assert.equal(broken.headers.get("cf-auditlog-id"), null);
  assert.equal(await countOf(), records + 1);
}

onEachEngine("a large zone file", (engine) => {
  test("is imported whole or not at all, and read again at once", async (t) => {
    await importsWhole(await startTestApp(t, engine));
  });
});

describe("a large zone file", () => {
  test("is imported whole or not at all into a store in memory too", async (t) => {
    await importsWhole(await startTestApp(t, "sqlite", { ephemeral: true }));
  });
});

describe("while a caller's work goes on in a worker", () => {
  test("other requests are answered, however long one recorded request takes to judge", async (t) => {
    const app = await startTestApp(t, "sqlite");
    const zone = await zoneOf(app);
    const har = JSON.parse(harOf({ url: `https://example.com${scriptInjection}`, method: "POST" }));
    har.log.entries[0].request.postData = { mimeType: "text/plain", text: "x".repeat(120_000) };
    har.log.entries = Array.from({ length: 12 }, () => har.log.entries[0]);
    const over = new AbortController();
    const replayed = replay(app, zone.id, JSON.stringify(har)).finally(() => over.abort());
    let answered = 0;
    for (; !over.signal.aborted; answered += 1) {
      const { status } = await app.request("GET", `/zones/${zone.id}`);
      assert.equal(status, 200);
    }
    const report = await replayed;
    assert.equal(report.body.result.requests.judged, 12, report.text);
    assert.ok(answered > 100, `only ${answered} other requests were answered`);
  });

  test("a large trace has the answer that a small one has", async (t) => {
    const app = await startTestApp(t, "sqlite");
    await app.createZone("example.com");
    const path = `/accounts/${app.owner.accountId}/request-tracer/trace`;
    const trace = async (body: object) => {
      const url = "https://example.com/";
      const answer = await app.request("POST", path, { body: { url, method: "GET", ...body } });
      return [answer.status, answer.body.result ?? answer.body.errors];
    };
    const [large, small] = [{ plain_text: "x".repeat(200_000) }, { plain_text: "x" }];
    assert.deepEqual(await trace({ body: large }), await trace({ body: small }));
    assert.deepEqual(
      await trace({ url: "https://example.net/", body: large }),
      await trace({ url: "https://example.net/", body: small }),
    );
  });

  test("the server ends with 0 at SIGTERM, when it has answered", async (t) => {
    const { flags } = await newStore(t, "sqlite");
    const server = await spawnServer(t, [...flags, ...ownerFlags]);
    const created = await sendRequest(server.baseUrl, "POST", "/zones", { body: { name: "example.com" } });
    const path = `/zones/${created.body.result.id}/dns_records/import`;
    const form = formRequest([fieldPart("file", zoneFile(records), "zone.txt")]);
    assert.equal((await sendRequest(server.baseUrl, "POST", path, form)).status, 200);
    // One worker is idle now; another task is on its way when the end comes.
    const answer = sendRequest(server.baseUrl, "POST", path, form);
    await sendRequest(server.baseUrl, "GET", "/zones", {
      headers: { authorization: `Bearer ${ownerToken}` },
    });
    const ended = server.end("SIGTERM");
    assert.equal((await answer).status, 200);
    assert.equal(await ended, 0, server.stderr());
  });
});
