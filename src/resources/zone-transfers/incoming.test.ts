import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import { onComparedEngines, startTestApp, type Engine } from "../../../test/support/harness.ts";
import { createZonePart } from "../../../test/support/zone-parts.ts";

const unknownId = "0123456789abcdef0123456789abcdef";
const notConfigured = {
  status: 404,
  code: 10004,
  message: "the zone has no incoming zone transfers configured",
};

async function startWithPeers(t: TestContext, engine: Engine) {
  const app = await startTestApp(t, engine);
  const path = `/accounts/${app.owner.accountId}/secondary_dns/peers`;
  const peers: string[] = [];
  for (const name of ["one", "two"]) {
    peers.push((await app.request("POST", path, { body: { name } })).body.result.id as string);
  }
  return { app, peers, zone: await createZonePart(app, "secondary_dns/incoming") };
}

onComparedEngines("incoming transfers of a zone", (engine) => {
  test("are configured, changed, asked for and deleted", async (t) => {
    const { app, peers, zone } = await startWithPeers(t, engine);
    const force = () => app.request("POST", `/zones/${zone.zoneId}/secondary_dns/force_axfr`, { body: {} });
    await zone.refuses("GET", "", undefined, notConfigured);
    await zone.refuses("DELETE", "", undefined, notConfigured);
    assert.equal((await force()).status, 404);
    const body = { name: "Example.com.", peers, auto_refresh_seconds: 300 };
    const made = await zone.result("POST", "", body);
    const time = "2026-01-02T03:04:05.678000Z";
    assert.deepEqual(made, { id: zone.zoneId, ...body, created_time: time, modified_time: time });
    assert.equal((await force()).body.result, "OK");
    app.advance(1_000);
    const change = { ...body, peers: peers.toReversed(), auto_refresh_seconds: 500 };
    const replaced = await zone.result("PUT", "", change);
    assert.deepEqual(replaced, { ...made, ...change, modified_time: "2026-01-02T03:04:06.678000Z" });
    await app.restart();
    assert.deepEqual(await zone.result("GET"), replaced);
    const used = `/accounts/${app.owner.accountId}/secondary_dns/peers/${peers[0]}`;
    const inUse = await app.request("DELETE", used);
    assert.deepEqual([inUse.status, inUse.body.errors[0]?.code], [400, 10031]);
    assert.deepEqual(await zone.result("DELETE"), { id: zone.zoneId });
    await zone.refuses("GET", "", undefined, notConfigured);
    assert.equal((await app.request("DELETE", used)).status, 200);
    const log = await app.request("GET", `/accounts/${app.owner.accountId}/audit_logs?per_page=100`);
    const types = log.body.result.map(({ action }: { action: { type: string } }) => action.type);
    assert.deepEqual(types.filter((type: string) => type.startsWith("incoming_")).toSorted(), [
      "incoming_transfer_add",
      "incoming_transfer_delete",
      "incoming_transfer_edit",
      "incoming_transfer_force",
    ]);
  });

  test("that cannot be are refused, and nothing changes", async (t) => {
    const { peers, zone } = await startWithPeers(t, engine);
    const body = { name: "example.com", peers, auto_refresh_seconds: 300 };
    await zone.result("POST", "", body);
    await zone.refuses("POST", "", body, {
      code: 10009,
      message: "the zone already has incoming zone transfers configured",
    });
    for (const [wrong, code, pointer] of [
      [{ ...body, name: "example.net" }, 10011, "/name"],
      [{ ...body, peers: [...peers, unknownId] }, 10011, "/peers/2"],
      [{ ...body, auto_refresh_seconds: 299 }, 1003, "/auto_refresh_seconds"],
      [{ name: "example.com", peers }, 1003, "/auto_refresh_seconds"],
    ] as const) {
      const before = await zone.result("GET");
      const answer = await zone.send("PUT", "", wrong);
      assert.equal(answer.status, 400, answer.text);
      assert.deepEqual(
        [answer.body.errors[0]?.code, answer.body.errors[0]?.source?.pointer],
        [code, pointer],
      );
      assert.deepEqual(await zone.result("GET"), before);
    }
  });
});

onComparedEngines("the records of a secondary zone", (engine) => {
  test("are nobody's to change here", async (t) => {
    const app = await startTestApp(t, engine);
    const zone = await app.request("POST", "/zones", { body: { name: "example.com", type: "secondary" } });
    const path = `/zones/${zone.body.result.id}/dns_records`;
    const record = { type: "A", name: "www", content: "192.0.2.1" };
    const file = new FormData();
    file.set("file", new Blob(["www 300 IN A 192.0.2.1\n"]));
    const answers = [
      await app.request("POST", path, { body: record }),
      await app.request("POST", `${path}/batch`, { body: { posts: [record] } }),
      await app.request("DELETE", `${path}/${unknownId}`),
    ];
    for (const answer of answers) {
      assert.deepEqual([answer.status, answer.body.errors[0]?.code], [400, 9360], answer.text);
    }
    assert.equal((await app.request("GET", path)).body.result_info?.total_count, 0);
  });
});
