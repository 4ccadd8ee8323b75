import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import { startDnsServer } from "../../../test/support/dns-server.ts";
import { onComparedEngines, startTestApp, until, type Engine } from "../../../test/support/harness.ts";

const day = 24 * 60 * 60 * 1_000;
const unasked = { dnssecRoundMs: 2 ** 30, activationRoundMs: 2 ** 30 };

async function startWithZone(t: TestContext, engine: Engine) {
  const app = await startTestApp(t, engine, {}, unasked);
  const zoneId = await app.createZone("example.com");
  const path = `/zones/${zoneId}/dnssec`;
  const read = async () => (await app.request("GET", path)).body.result as Record<string, unknown>;
  const edit = async (body: object) => app.request("PATCH", path, { body });
  const serial = async () => {
    const text = (await app.request("GET", `/zones/${zoneId}/dns_records/export`)).text;
    return Number(/SOA\s.*?(\d{6,})/s.exec(text)?.[1]);
  };
  return { app, zoneId, path, read, edit, serial };
}

onComparedEngines("DNSSEC of a zone", (engine) => {
  test("is disabled, without a key, until somebody turns it on", async (t) => {
    const { read, edit } = await startWithZone(t, engine);
    const nothing = await read();
    assert.equal(nothing["status"], "disabled");
    for (const field of ["flags", "algorithm", "digest", "ds", "key_tag", "public_key", "modified_on"]) {
      assert.equal(nothing[field], null, field);
    }
    assert.equal((await edit({ status: "disabled" })).status, 200);
    const refused = await edit({ dnssec_use_nsec3: true });
    assert.deepEqual([refused.status, refused.body.errors[0]?.code], [400, 10052]);
    const switches = { dnssec_multi_signer: null, dnssec_presigned: false };
    for (const body of [{}, { status: null }, switches, { status: "disabled", ...switches }]) {
      assert.deepEqual((await edit(body)).body.result, nothing, JSON.stringify(body));
    }
    assert.deepEqual(await read(), nothing);
  });

  test("keeps a switch that is left out, and takes one away that is null", async (t) => {
    const { read, edit } = await startWithZone(t, engine);
    const on = { status: "active", dnssec_multi_signer: true, dnssec_use_nsec3: true };
    await edit(on);
    await edit({ status: "active", dnssec_multi_signer: null });
    const after = await read();
    assert.equal("dnssec_multi_signer" in after, false);
    assert.equal(after["dnssec_use_nsec3"], true);
  });

  test("has the DS record for its parent as soon as it is on, and never another one", async (t) => {
    const { app, read, edit } = await startWithZone(t, engine);
    const on = (await edit({ status: "active", dnssec_multi_signer: true, dnssec_presigned: false })).body
      .result as Record<string, unknown>;
    assert.equal(on["status"], "pending");
    assert.deepEqual(
      [on["flags"], on["algorithm"], on["key_type"], on["digest_type"], on["digest_algorithm"]],
      [257, "13", "ECDSAP256SHA256", "2", "SHA256"],
    );
    assert.match(String(on["digest"]), /^[0-9A-F]{64}$/);
    assert.equal(on["ds"], `example.com. 3600 IN DS ${String(on["key_tag"])} 13 2 ${String(on["digest"])}`);
    assert.equal(Buffer.from(String(on["public_key"]), "base64").length, 64);
    assert.deepEqual([on["dnssec_multi_signer"], on["dnssec_presigned"]], [true, false]);
    assert.ok(!("dnssec_use_nsec3" in on));
    assert.deepEqual(await read(), on);
    app.advance(1_000);
    assert.deepEqual((await edit({ status: "active" })).body.result, on);
    const changed = (await edit({ dnssec_use_nsec3: true })).body.result as Record<string, unknown>;
    assert.deepEqual([changed["ds"], changed["dnssec_use_nsec3"]], [on["ds"], true]);
    await app.restart();
    assert.deepEqual(await read(), changed);
  });

  test("is turned off and then deleted, and its keys with it", async (t) => {
    const { app, path, read, edit, serial } = await startWithZone(t, engine);
    const { ds } = (await edit({ status: "active" })).body.result as { ds: string };
    const tooEarly = await app.request("DELETE", path);
    assert.deepEqual([tooEarly.status, tooEarly.body.errors[0]?.code], [400, 10051]);
    assert.equal((await read())["ds"], ds);
    const before = await serial();
    const off = (await edit({ status: "disabled" })).body.result as Record<string, unknown>;
    assert.deepEqual([off["status"], off["ds"]], ["disabled", ds]);
    assert.equal((await edit({ status: "disabled" })).status, 200);
    const deleted = await app.request("DELETE", path);
    assert.deepEqual([deleted.status, deleted.body.result], [200, ""]);
    assert.equal((await read())["modified_on"], null);
    assert.ok((await serial()) > before);
    assert.equal((await app.request("DELETE", path)).status, 200);
    const again = (await edit({ status: "active" })).body.result as Record<string, unknown>;
    assert.notEqual(again["ds"], ds);
  });

  test("cannot be that of others, whose signatures would have to come from elsewhere", async (t) => {
    const { app, read, edit } = await startWithZone(t, engine);
    for (const body of [
      { status: "active", dnssec_presigned: true },
      { status: "active", dnssec_presigned: true, dnssec_use_nsec3: true },
    ]) {
      const refused = await edit(body);
      assert.deepEqual([refused.status, refused.body.errors[0]?.code], [400, 10054]);
    }
    for (const body of [{ status: "on" }, { dnssec_use_nsec3: "yes" }, []]) {
      assert.equal((await edit(body)).status, 400, JSON.stringify(body));
    }
    assert.equal((await read())["status"], "disabled");
    const made = await app.request("POST", "/zones", {
      body: { name: "partial.example.org", type: "partial" },
    });
    const { id } = made.body.result as { id: string };
    const refused = await app.request("PATCH", `/zones/${id}/dnssec`, { body: { status: "active" } });
    assert.deepEqual([refused.status, refused.body.errors[0]?.code], [400, 10053]);
  });

  test("is active once the parent zone here has its DS record, and pending-disabled until that is gone", async (t) => {
    const { app, zoneId, read, edit } = await startWithZone(t, engine);
    const childId = await app.createZone("child.example.com");
    await app.request("PUT", `/zones/${zoneId}/activation_check`);
    const child = `/zones/${childId}/dnssec`;
    const editChild = async (body: object) =>
      (await app.request("PATCH", child, { body })).body.result as Record<string, unknown>;
    const { status, key_tag, digest } = await editChild({ status: "active" });
    assert.equal(status, "pending");
    const addSigner = async (data: object) => {
      const records = `/zones/${zoneId}/dns_records`;
      await app.request("POST", records, {
        body: { type: "NS", name: "child", content: "ns1.elsewhere.net" },
      });
      const added = await app.request("POST", records, { body: { type: "DS", name: "child", data } });
      assert.equal(added.status, 200, added.text);
      return `${records}/${(added.body.result as { id: string }).id}`;
    };
    const other = await addSigner({ key_tag: 1, algorithm: 13, digest_type: 2, digest: "ab".repeat(32) });
    assert.equal((await editChild({}))["status"], "error");
    await app.request("DELETE", other);
    const ours = await addSigner({ key_tag, algorithm: 13, digest_type: 2, digest });
    assert.equal((await editChild({}))["status"], "active");
    assert.equal((await editChild({ status: "disabled" }))["status"], "pending-disabled");
    assert.equal((await app.request("DELETE", child)).status, 400);
    await app.request("DELETE", ours);
    assert.equal((await editChild({}))["status"], "disabled");
    assert.equal((await app.request("DELETE", child)).status, 200);
    assert.equal((await read())["status"], "disabled");
    assert.equal((await edit({ status: "active" })).status, 200);
  });

  test("follows the DS records of a parent elsewhere by itself", async (t) => {
    const dns = await startDnsServer(t);
    const app = await startTestApp(
      t,
      engine,
      { activation: "check-ns", resolvers: [dns.address], name_servers: ["ns1.zoneward.example"] },
      { activationRoundMs: 2 ** 30, dnssecRoundMs: 20 },
    );
    const zoneId = await app.createZone("example.com");
    const path = `/zones/${zoneId}/dnssec`;
    const statusOf = async () => ((await app.request("GET", path)).body.result as { status: string }).status;
    await app.request("PATCH", path, { body: { status: "active" } });
    assert.equal(await statusOf(), "pending");
    const { key_tag, digest } = (await app.request("GET", path)).body.result as Record<string, unknown>;
    const signer = { keyTag: Number(key_tag), algorithm: 13, digestType: 2 };
    dns.names.set("example.com", { ds: [{ ...signer, digest: Buffer.from(String(digest), "hex") }] });
    app.advance(6 * 60_000);
    await until("the DS record is found", async () => (await statusOf()) === "active");
    const { accountId } = app.owner;
    const log = await app.request("GET", `/accounts/${accountId}/audit_logs?action.type=dnssec_status`);
    assert.equal(log.body.result.length, 1);
  });

  test("shows its zone-signing key without the private part", async (t) => {
    const { app, path, edit } = await startWithZone(t, engine);
    assert.deepEqual((await app.request("GET", `${path}/zsk`)).body.result, []);
    await edit({ status: "active" });
    const keys = await app.request("GET", `${path}/zsk`);
    const [key] = keys.body.result as { DNSKEY: { Flags: number; PublicKey: string } }[];
    assert.equal(key?.DNSKEY.Flags, 256);
    assert.equal(Buffer.from(key.DNSKEY.PublicKey, "base64").length, 64);
    assert.doesNotMatch(keys.text, /priv/i);
  });

  test("gives the zone another serial with the signatures of another day", async (t) => {
    const app = await startTestApp(t, engine, {}, { ...unasked, dnssecRoundMs: 20 });
    const zoneId = await app.createZone("example.com");
    await app.request("PATCH", `/zones/${zoneId}/dnssec`, { body: { status: "active" } });
    const { read } = await app.storeBeside();
    const stored = async () => {
      const [zone] = await read.selectFrom("zones").selectAll().execute();
      const [dnssec] = await read.selectFrom("zone_dnssec").selectAll().execute();
      return { serial: zone?.dns_serial ?? 0, day: dnssec?.signed_day ?? 0 };
    };
    const before = await stored();
    app.advance(day);
    await until("it is signed anew", async () => (await stored()).day === before.day + 1);
    assert.ok((await stored()).serial > before.serial);
  });
});
