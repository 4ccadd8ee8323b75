import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import { onComparedEngines, startTestApp, type Engine } from "../../../test/support/harness.ts";
import { createZonePart } from "../../../test/support/zone-parts.ts";

const unknownId = "0123456789abcdef0123456789abcdef";
const notConfigured = {
  status: 404,
  code: 10004,
  message: "the zone has no outgoing zone transfers configured",
};

async function startWithPeers(t: TestContext, engine: Engine) {
  const app = await startTestApp(t, engine);
  const path = `/accounts/${app.owner.accountId}/secondary_dns/peers`;
  const peers: string[] = [];
  for (const name of ["one", "two"]) {
    peers.push((await app.request("POST", path, { body: { name } })).body.result.id as string);
  }
  return { app, peers, zone: await createZonePart(app, "secondary_dns/outgoing") };
}

onComparedEngines("outgoing transfers of a zone", (engine) => {
  test("are configured, enabled, notified, disabled and deleted", async (t) => {
    const { app, peers, zone } = await startWithPeers(t, engine);
    for (const [method, path] of [
      ["GET", ""],
      ["GET", "/status"],
      ["POST", "/enable"],
      ["POST", "/disable"],
      ["POST", "/force_notify"],
      ["DELETE", ""],
    ] as const) {
      await zone.refuses(method, path, undefined, notConfigured);
    }
    const made = await zone.result("POST", "", { name: "Example.com.", peers });
    assert.deepEqual(made, {
      id: zone.zoneId,
      name: "Example.com.",
      peers,
      soa_serial: made.soa_serial,
      created_time: "2026-01-02T03:04:05.678000Z",
    });
    assert.equal(await zone.result("GET", "/status"), "Disabled");
    await zone.refuses(
      "POST",
      "/force_notify",
      {},
      {
        code: 10015,
        message: "outgoing zone transfers are disabled",
      },
    );
    assert.equal(await zone.result("POST", "/enable", {}), "Enabled");
    assert.equal(await zone.result("POST", "/enable"), "Enabled");
    assert.equal(await zone.result("POST", "/force_notify", {}), "OK");
    await app.restart();
    assert.equal(await zone.result("GET", "/status"), "Enabled");
    const replaced = await zone.result("PUT", "", { name: "example.com", peers: peers.toReversed() });
    assert.deepEqual(replaced, { ...made, name: "example.com", peers: peers.toReversed() });
    assert.deepEqual(await zone.result("GET"), replaced);
    assert.equal(await zone.result("GET", "/status"), "Enabled");
    assert.equal(await zone.result("POST", "/disable", {}), "Disabled");
    assert.equal(await zone.result("GET", "/status"), "Disabled");
    assert.deepEqual(await zone.result("DELETE"), { id: zone.zoneId });
    await zone.refuses("GET", "", undefined, notConfigured);
    const log = await app.request("GET", `/accounts/${app.owner.accountId}/audit_logs?per_page=100`);
    const types = log.body.result.map(({ action }: { action: { type: string } }) => action.type);
    assert.deepEqual(types.filter((type: string) => type.startsWith("outgoing_")).toSorted(), [
      "outgoing_transfer_add",
      "outgoing_transfer_delete",
      "outgoing_transfer_disable",
      "outgoing_transfer_edit",
      "outgoing_transfer_enable",
      "outgoing_transfer_notify",
    ]);
  });

  test("show the serial of the zone, which grows with each change", async (t) => {
    const { app, peers, zone } = await startWithPeers(t, engine);
    const { soa_serial: before } = await zone.result("POST", "", { name: "example.com", peers });
    const record = { type: "A", name: "www", content: "192.0.2.1" };
    await app.request("POST", `/zones/${zone.zoneId}/dns_records`, { body: record });
    assert.equal((await zone.result("GET")).soa_serial, before + 1);
  });

  test("that cannot be are refused, and nothing changes", async (t) => {
    const { peers, zone } = await startWithPeers(t, engine);
    const [peer] = peers;
    const body = { name: "example.com", peers };
    await zone.result("POST", "", body);
    await zone.refuses("POST", "", body, {
      code: 10009,
      message: "the zone already has outgoing zone transfers configured",
    });
    for (const [wrong, code, pointer] of [
      [{ name: "example.net", peers }, 10011, "/name"],
      [{ name: "example.com..", peers }, 10011, "/name"],
      [{ name: "example.com", peers: [peer, unknownId] }, 10011, "/peers/1"],
      [{ name: "example.com", peers: [peer, peer] }, 1003, "/peers"],
      [{ name: "example.com" }, 1003, "/peers"],
      [{ peers }, 1003, "/name"],
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
