import assert from "node:assert/strict";
import { test } from "node:test";

import { account as group } from "../../core/policy/permission-groups.ts";
import { onComparedEngines, startTestApp, type TestApp } from "../../../test/support/harness.ts";
import { addToken, addUser } from "../../../test/support/store.ts";

const unknownId = "0123456789abcdef0123456789abcdef";
const secret = Buffer.from("a secret of some length, 32 octets").toString("base64");
const tsig = { name: "Key.example.", algo: "hmac-sha512.", secret };

function transfersOf(app: TestApp) {
  const send = (method: string, path: string, body?: unknown) =>
    app.request(
      method,
      `/accounts/${app.owner.accountId}/secondary_dns/${path}`,
      body === undefined ? {} : { body },
    );
  return {
    send,
    result: async (method: string, path: string, body?: unknown) => {
      const answer = await send(method, path, body);
      assert.equal(answer.status, 200, answer.text);
      return answer.body.result;
    },
  };
}

onComparedEngines("ACLs, peers and TSIG keys of zone transfers", (engine) => {
  for (const [kind, first, second] of [
    ["acls", { name: "office", ip_range: "192.0.2.53/32" }, { name: "lab", ip_range: "2001:db8::/64" }],
    ["peers", { name: "one" }, { name: "two", ip: "192.0.2.53", port: 5353, ixfr_enable: false }],
    ["tsigs", tsig, { ...tsig, algo: "hmac-md5.sig-alg.reg.int.", secret: "A".repeat(128) }],
  ] as const) {
    test(`${kind} are created, listed, read, replaced and deleted`, async (t) => {
      const app = await startTestApp(t, engine);
      const { send, result } = transfersOf(app);
      const made = await result("POST", kind, first);
      assert.deepEqual(made, { id: made.id, ...first });
      const other = await result("POST", kind, second);
      assert.deepEqual(await result("GET", `${kind}/${other.id}`), { id: other.id, ...second });
      const replaced = await result("PUT", `${kind}/${made.id}`, { ...second, name: "three.example" });
      assert.deepEqual(replaced, { id: made.id, ...second, name: "three.example" });
      assert.deepEqual(await result("PUT", `${kind}/${other.id}`, first), { id: other.id, ...first });
      await app.restart();
      const list = (await send("GET", kind)).body;
      assert.deepEqual(
        new Set(list.result.map(({ id }: { id: string }) => id)),
        new Set([made.id, other.id]),
      );
      assert.equal(list.result_info?.total_count, 2);
      assert.deepEqual(await result("DELETE", `${kind}/${made.id}`), { id: made.id });
      for (const method of ["GET", "PUT", "DELETE"]) {
        const answer = await send(method, `${kind}/${made.id}`, method === "PUT" ? first : undefined);
        assert.equal(answer.status, 404, answer.text);
      }
    });
  }

  test("that cannot be are refused, and nothing is stored", async (t) => {
    const app = await startTestApp(t, engine);
    const { send } = transfersOf(app);
    const refusals: readonly (readonly [string, object, string])[] = [
      ["acls", { name: "x", ip_range: "192.0.2.0/23" }, "/ip_range"],
      ["acls", { name: "x", ip_range: "2001:db8::/63" }, "/ip_range"],
      ["acls", { name: "x", ip_range: "192.0.2.0/33" }, "/ip_range"],
      ["acls", { name: "x", ip_range: "example.com" }, "/ip_range"],
      ["peers", { name: "x", ip: "192.0.2" }, "/ip"],
      ["peers", { name: "x", tsig_id: unknownId }, "/tsig_id"],
      ["tsigs", { ...tsig, name: "a..b" }, "/name"],
      ["tsigs", { ...tsig, name: "." }, "/name"],
      ["tsigs", { ...tsig, algo: "hmac-sha3." }, "/algo"],
      ["tsigs", { ...tsig, secret: "not base64!" }, "/secret"],
      ["tsigs", { ...tsig, secret: "YWJjZ" }, "/secret"],
    ];
    for (const [kind, body, pointer] of refusals) {
      const { status, body: answer, text } = await send("POST", kind, body);
      assert.equal(status, 400, text);
      assert.deepEqual([answer.errors[0]?.code, answer.errors[0]?.source?.pointer], [10011, pointer]);
      assert.ok(!text.includes("not base64!"));
      assert.deepEqual((await send("GET", kind)).body.result, []);
    }
    for (const port of [0, 65_536, 1.5]) {
      const answer = await send("POST", "peers", { name: "x", port });
      assert.deepEqual([answer.status, answer.body.errors[0]?.code], [400, 1003]);
    }
  });

  test("a range is answered masked to its network, an address as it was sent", async (t) => {
    const { result } = transfersOf(await startTestApp(t, engine));
    for (const [sent, shown] of [
      ["192.0.2.53/28", "192.0.2.48/28"],
      ["192.0.2.53", "192.0.2.53"],
      ["2001:DB8::1", "2001:DB8::1"],
      ["2001:db8::1/64", "2001:db8::/64"],
    ]) {
      assert.equal((await result("POST", "acls", { name: "x", ip_range: sent })).ip_range, shown);
    }
  });

  test("what others use is not deleted: the key of a peer, the peer of a zone", async (t) => {
    const app = await startTestApp(t, engine);
    const { send, result } = transfersOf(app);
    const key = await result("POST", "tsigs", tsig);
    const peer = await result("POST", "peers", { name: "x", tsig_id: key.id });
    const zoneId = await app.createZone("example.com");
    const path = `/zones/${zoneId}/secondary_dns/outgoing`;
    await app.request("POST", path, { body: { name: "example.com", peers: [peer.id] } });
    for (const used of [`tsigs/${key.id}`, `peers/${peer.id}`]) {
      const answer = await send("DELETE", used);
      assert.deepEqual([answer.status, answer.body.errors[0]?.code], [400, 10031]);
      assert.equal((await send("GET", used)).status, 200);
    }
    await app.request("DELETE", `/zones/${zoneId}`);
    await result("DELETE", `peers/${peer.id}`);
    await result("DELETE", `tsigs/${key.id}`);
  });

  test("a secret is stored encrypted, and in no entry of the audit log", async (t) => {
    const app = await startTestApp(t, engine);
    const { result } = transfersOf(app);
    const { id } = await result("POST", "tsigs", tsig);
    await result("PUT", `tsigs/${id}`, { ...tsig, name: "other.example." });
    const beside = await app.storeBeside();
    const [row] = await beside.read.selectFrom("transfer_keys").selectAll().execute();
    assert.ok(row !== undefined && !row.secret.includes(secret));
    await result("DELETE", `tsigs/${id}`);
    const log = await app.request("GET", `/accounts/${app.owner.accountId}/audit_logs?per_page=100`);
    assert.ok(log.text.includes("tsig_edit") && log.text.includes("other.example."));
    assert.ok(!log.text.includes(secret));
  });

  test("of one account are unknown in another", async (t) => {
    const app = await startTestApp(t, engine, { create_accounts: "owner" });
    const { result } = transfersOf(app);
    const key = await result("POST", "tsigs", tsig);
    const other = (await app.request("POST", "/accounts", { body: { name: "Other" } })).body.result
      .id as string;
    const path = `/accounts/${other}/secondary_dns`;
    assert.equal((await app.request("GET", `${path}/tsigs/${key.id}`)).status, 404);
    const peer = await app.request("POST", `${path}/peers`, { body: { name: "x", tsig_id: key.id } });
    assert.deepEqual([peer.status, peer.body.errors[0]?.code], [400, 10011]);
    assert.deepEqual((await app.request("GET", `${path}/peers`)).body.result, []);
  });

  test("secrets are shown to who may change the keys, and to nobody else", async (t) => {
    const app = await startTestApp(t, engine);
    const { result } = transfersOf(app);
    const { id } = await result("POST", "tsigs", tsig);
    const account = app.owner.accountId;
    const path = `/accounts/${account}/secondary_dns/tsigs`;
    const shown = async (headers: Record<string, string>) => {
      const one = await app.request("GET", `${path}/${id}`, { headers });
      const all = await app.request("GET", path, { headers });
      return [one.body.result, all.body.result];
    };
    const whole = { id, ...tsig };
    const { secret: _, ...rest } = whole;
    const reader = await addUser(app, "reader@example.com", { account, role: "Administrator Read Only" });
    const administrator = await addUser(app, "admin@example.com", { account, role: "Administrator" });
    const token = (name: "Account Settings Read" | "Account Settings Write") =>
      addToken(app, app.owner.userId, [
        { resources: [{ type: "account", id: account }], groupIds: [group(name).id] },
      ]);
    assert.deepEqual(await shown(await token("Account Settings Write")), [whole, [whole]]);
    for (const headers of [reader.headers, administrator.headers, await token("Account Settings Read")]) {
      assert.deepEqual(await shown(headers), [rest, [rest]]);
    }
  });
});
