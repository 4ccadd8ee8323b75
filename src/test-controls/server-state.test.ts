import assert from "node:assert/strict";
import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { describe, test } from "node:test";

import { createDnsClient } from "../../test/support/dns-client.ts";
import { everyGet } from "../../test/support/every-get.ts";
import { startFilledApp } from "../../test/support/filled-app.ts";
import { byKey, byToken, startTestApp, type TestApp } from "../../test/support/harness.ts";
import { testControlsOf, withTestControls } from "../../test/support/test-controls-api.ts";
import { bearer, policy } from "../../test/support/token-api.ts";

/** Changes, adds and deletes something in most tables. */
async function disturb(app: TestApp): Promise<void> {
  const send = async (method: string, path: string, body?: unknown) => {
    const answer = await app.request(method, path, { headers: byKey, ...(body !== undefined && { body }) });
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
    return answer.body.result;
  };
  const { accountId } = app.owner;
  const [{ id }] = await send("GET", "/zones");
  const [record] = await send("GET", `/zones/${id}/dns_records`);
  await send("DELETE", `/zones/${id}/dns_records/${record.id}`);
  await send("PATCH", `/zones/${id}/settings/ssl`, { value: "off" });
  await send("POST", `/zones/${id}/pagerules`, {
    targets: [{ target: "url", constraint: { operator: "matches", value: "example.com/*" } }],
    actions: [{ id: "always_online", value: "on" }],
  });
  await send("POST", `/zones/${id}/dns_records`, { type: "A", name: "new", content: "192.0.2.7" });
  await send("POST", `/zones/${id}/hold`);
  const list = await send("POST", `/accounts/${accountId}/rules/lists`, { name: "mine", kind: "ip" });
  await send("POST", `/accounts/${accountId}/rules/lists/${list.id}/items`, [{ ip: "192.0.2.9" }]);
  await send("PUT", `/zones/${id}/rulesets/phases/http_request_firewall_custom/entrypoint`, {
    rules: [{ action: "block", expression: "ip.src in $mine" }],
  });
  await send("POST", "/zones", { name: "another.example" });
  await send("POST", "/user/tokens", { name: "another", policies: [policy({})] });
  await send("PATCH", "/user", { first_name: "Somebody" });
  await send("PUT", `/accounts/${accountId}`, { name: "Renamed" });
}

const stores = [
  { where: "in memory", engine: "sqlite", settings: { ephemeral: true } },
  { where: "in a file", engine: "sqlite", settings: {} },
  { where: "on PostgreSQL", engine: "postgres", settings: {} },
] as const;

for (const { where, engine, settings } of stores) {
  describe(`the state of a server ${where}`, () => {
    test("after a restore and a reset every GET answers as it did, and nothing else is there", async (t) => {
      const app = await startFilledApp(t, engine, {
        ...withTestControls,
        ...settings,
        initial_token: "api",
      });
      const controls = testControlsOf(app);
      await controls.result("PUT", "/snapshots/filled");
      const filled = await everyGet(app);
      assert.ok(filled.size > 100, `${filled.size}`);
      assert.ok([...filled.values()].every((answer) => !answer.startsWith("5")));

      await disturb(app);
      await controls.result("PUT", "/snapshots/disturbed");
      const disturbed = await everyGet(app);
      const changed = [...filled].filter(([path, answer]) => disturbed.get(path) !== answer);
      assert.ok(changed.length > 10, `${changed.length}`);
      for (const [name, expected] of [
        ["filled", filled],
        ["disturbed", disturbed],
        ["filled", filled],
      ] as const) {
        await controls.result("POST", `/snapshots/${name}/restore`);
        assert.deepEqual(await everyGet(app), expected);
      }

      await controls.result("POST", "/reset");
      const { result } = (await app.request("GET", "/zones")).body;
      assert.deepEqual(
        result.map(({ name }: { name: string }) => name),
        ["example.com"],
      );
      await disturb(app);
    });

    test("a snapshot has when a token was last used, before any timer has stored it", async (t) => {
      const app = await startTestApp(t, engine, { ...withTestControls, ...settings, initial_token: "api" });
      const controls = testControlsOf(app);
      const made = await app.request("POST", "/user/tokens", { body: { name: "t", policies: [policy({})] } });
      const { id, value } = made.body.result;
      const lastUse = async () =>
        (await app.request("GET", `/user/tokens/${id}`, { headers: byKey })).body.result.last_used_on;
      await app.request("GET", "/zones", { headers: bearer(value) });
      assert.equal(await lastUse(), null);
      await controls.result("PUT", "/snapshots/used");
      const noted = await lastUse();
      assert.equal(typeof noted, "string");
      await controls.result("POST", "/reset");
      await controls.result("POST", "/snapshots/used/restore");
      assert.equal(await lastUse(), noted);
    });

    test("a reset ends what was remembered: tokens, wrong secrets, rate windows, lists, ids, the clock", async (t) => {
      const app = await startTestApp(t, engine, {
        ...withTestControls,
        ...settings,
        ids_seed: "seed",
        clock_start: "2026-05-05T05:05:05Z",
        rate_limit: { user: 20, address: 10_000 },
        auth_failure_limit: 3,
      });
      const controls = testControlsOf(app);
      const first = await app.createZone("example.com");
      const made = await app.request("POST", "/user/tokens", { body: { name: "t", policies: [policy({})] } });
      const token = bearer(made.body.result.value);
      assert.equal((await app.request("GET", `/zones/${first}/dns_records`, { headers: token })).status, 200);
      const unknown = (n: number) =>
        app.request("GET", "/user", { headers: bearer(`${"x".repeat(40)}${n}`) });
      for (let n = 0; n < 5; n += 1) await unknown(n);
      while ((await app.request("GET", "/user")).status === 200);
      await controls.result("POST", "/clock/advance", { days: 3 });
      await controls.result("POST", "/faults", { preset: "outage" });

      await controls.result("POST", "/reset");
      assert.equal((await app.request("GET", `/zones/${first}/dns_records`, { headers: token })).status, 403);
      assert.equal((await app.request("GET", "/user")).status, 200);
      assert.match((await unknown(9)).text, /Invalid access token/);
      assert.deepEqual(await controls.result("GET", "/clock"), {
        now: "2026-05-05T05:05:05.000Z",
        frozen: true,
      });
      assert.equal(await app.createZone("example.com"), first);
    });
  });
}

test("the name server answers from the state that was put back when the call is answered", async (t) => {
  const app = await startTestApp(t, "sqlite", {
    ...withTestControls,
    ephemeral: true,
    dns_listen: ["127.0.0.1:0"],
  });
  const controls = testControlsOf(app);
  const dns = await createDnsClient(t, app.dnsAddresses[0] ?? "");
  const id = await app.createZone("example.com");
  await app.request("PUT", `/zones/${id}/activation_check`);
  const point = async (content: string): Promise<void> => {
    const { body } = await app.request("GET", `/zones/${id}/dns_records`);
    const record = { type: "A", name: "www", content, ttl: 300 };
    const [earlier] = body.result;
    if (earlier === undefined) await app.request("POST", `/zones/${id}/dns_records`, { body: record });
    else await app.request("PATCH", `/zones/${id}/dns_records/${earlier.id}`, { body: record });
  };
  // Two states whose zones have the same versions.
  await controls.result("PUT", "/snapshots/empty");
  await point("192.0.2.1");
  await controls.result("PUT", "/snapshots/one");
  await controls.result("POST", "/snapshots/empty/restore");
  await point("192.0.2.2");
  await controls.result("PUT", "/snapshots/two");
  for (const [name, answer] of [
    ["one", "www.example.com 300 A 192.0.2.1"],
    ["two", "www.example.com 300 A 192.0.2.2"],
  ]) {
    await controls.result("POST", `/snapshots/${name}/restore`);
    assert.deepEqual(await dns.lines("www.example.com"), ["NOERROR", answer]);
  }
  await controls.result("POST", "/snapshots/empty/restore");
  assert.deepEqual(await dns.lines("www.example.com"), ["NXDOMAIN"]);
  await controls.result("POST", "/reset");
  assert.deepEqual(await dns.lines("www.example.com"), ["REFUSED"]);
});

describe("snapshots", () => {
  test("are listed, replaced and deleted by name; names and files that are none are refused", async (t) => {
    const app = await startTestApp(t, "sqlite", { ...withTestControls, ephemeral: true });
    const controls = testControlsOf(app);
    await controls.result("PUT", "/snapshots/two");
    await controls.result("PUT", "/snapshots/one");
    await controls.result("PUT", "/snapshots/two");
    const names = (await controls.result("GET", "/snapshots")).map(({ name }: { name: string }) => name);
    assert.deepEqual(names, ["one", "two"]);
    assert.deepEqual(await controls.result("DELETE", "/snapshots/one"), { name: "one" });
    for (const [method, path] of [
      ["DELETE", "/snapshots/one"],
      ["POST", "/snapshots/one/restore"],
      ["GET", "/snapshots/one/file"],
      ["PUT", "/snapshots/.one"],
    ] as const) {
      assert.equal((await controls.send(method, path)).status, 404, path);
    }
    const zone = await app.createZone("example.com");
    for (const content of ["", "no snapshot", Buffer.alloc(1_000)]) {
      const answer = await importFile(app, "bad", Buffer.from(content));
      assert.equal(answer.status, 400);
    }
    assert.equal((await controls.send("POST", "/snapshots/bad/restore")).status, 404);
    assert.equal((await app.request("GET", `/zones/${zone}`)).status, 200);
  });

  test("are exported, and imported by another server, which keeps its own owner's credentials", async (t) => {
    const secret_key = Buffer.alloc(32, 7).toString("base64");
    const from = await startFilledApp(t, "sqlite", {
      ...withTestControls,
      secret_key,
      owner_email: "a@example.com",
    });
    await testControlsOf(from).result("PUT", "/snapshots/filled");
    const file = await exportFile(from, "filled");

    const to = await startTestApp(t, "sqlite", { ...withTestControls, secret_key, ephemeral: true });
    const imported = await importFile(to, "theirs", file);
    assert.equal(imported.status, 200, await imported.text());
    await testControlsOf(to).result("POST", "/snapshots/theirs/restore");
    for (const path of ["/zones", "/accounts"]) {
      const [theirs, ours] = [await from.request("GET", path), await to.request("GET", path)];
      assert.equal(ours.text, theirs.text);
    }

    const lacking = await startTestApp(t, "sqlite", { ...withTestControls, ephemeral: true });
    const refused = await importFile(lacking, "theirs", file);
    assert.equal(refused.status, 400);
    assert.match(await refused.text(), /encrypted with another key.*secret_key/);
  });

  test("are exported from one engine and imported by the other", async (t) => {
    const secret_key = Buffer.alloc(32, 7).toString("base64");
    for (const [here, there] of [
      ["sqlite", "postgres"],
      ["postgres", "sqlite"],
    ] as const) {
      const from = await startFilledApp(t, here, { ...withTestControls, secret_key });
      await testControlsOf(from).result("PUT", "/snapshots/filled");
      const to = await startTestApp(t, there, { ...withTestControls, secret_key });
      const imported = await importFile(to, "theirs", await exportFile(from, "filled"));
      assert.equal(imported.status, 200, await imported.text());
      await testControlsOf(to).result("POST", "/snapshots/theirs/restore");
      // The export counts as a use of its token, which a timer stores.
      await testControlsOf(from).result("POST", "/snapshots/filled/restore");
      assert.deepEqual(await everyGet(to), await everyGet(from), `${here} to ${there}`);
    }
  });
});

test("a reset waits for the requests that run, lets others wait, and never mixes two states", async (t) => {
  const app = await startTestApp(t, "sqlite", { ...withTestControls, ephemeral: true });
  const controls = testControlsOf(app);
  const body = JSON.stringify({ name: "example.com" });
  const slow = httpRequest(`${app.baseUrl}/zones`, {
    method: "POST",
    headers: { ...byToken, "content-length": body.length, expect: "100-continue" },
  });
  const begun = once(slow, "continue");
  const answered = new Promise<number | undefined>((resolve) =>
    slow.once("response", (response) => resolve(response.resume().statusCode)),
  );
  slow.flushHeaders();
  await begun;
  const reset = controls.send("POST", "/reset");
  const waiting = app.request("GET", "/zones");
  slow.end(body);
  assert.equal(await answered, 200);
  assert.equal((await reset).status, 200);
  assert.deepEqual((await waiting).body.result, []);

  // Requests at the same time see one state or the other, and connections stay.
  await controls.result("PUT", "/snapshots/empty");
  const ids = await Promise.all(["a.example", "b.example"].map((name) => app.createZone(name)));
  await controls.result("PUT", "/snapshots/full");
  for (let round = 0; round < 10; round += 1) {
    const [, ...lists] = await Promise.all([
      controls.result("POST", `/snapshots/${round % 2 === 0 ? "empty" : "full"}/restore`),
      ...ids.map(() => app.request("GET", "/zones")),
    ]);
    for (const list of lists) assert.ok([0, 2].includes(list.body.result.length), list.text);
  }
});

async function exportFile(app: TestApp, name: string): Promise<Buffer> {
  const url = new URL(`/test/v1/snapshots/${name}/file`, app.baseUrl);
  const answer = await fetch(url, { headers: byToken });
  assert.equal(answer.status, 200);
  return Buffer.from(await answer.arrayBuffer());
}

async function importFile(app: TestApp, name: string, file: Buffer): Promise<Response> {
  const form = new FormData();
  form.append("file", new Blob([new Uint8Array(file)]), "snapshot");
  const url = new URL(`/test/v1/snapshots/${name}/file`, app.baseUrl);
  return fetch(url, { method: "PUT", headers: byToken, body: form });
}
