import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { onComparedEngines, startOfTime, startTestApp } from "../../test/support/harness.ts";
import { testControlsOf, withTestControls } from "../../test/support/test-controls-api.ts";
import { bearer, policy } from "../../test/support/token-api.ts";
import { TestClock } from "./clock.ts";

const hour = 3_600_000;
const day = 24 * hour;
const later = (ms: number): string => new Date(startOfTime.getTime() + ms).toISOString();

onComparedEngines("the clock of the test controls", (engine) => {
  test("moves everything that depends on the time: tokens, holds, development mode, rate windows, serials", async (t) => {
    const app = await startTestApp(t, engine, {
      ...withTestControls,
      rate_limit: { user: 40, address: 1_000 },
    });
    const controls = testControlsOf(app);
    const id = await app.createZone("example.com");
    const get = (path: string, headers?: Record<string, string>) =>
      app.request("GET", path, headers && { headers });
    const token = await app.request("POST", "/user/tokens", {
      body: { name: "for an hour", policies: [policy({})], expires_on: later(hour).replace(/\.\d+/, "") },
    });
    assert.equal(token.status, 200, token.text);
    const byIt = bearer(token.body.result.value);
    await app.request("POST", `/zones/${id}/hold`);
    await app.request("DELETE", `/zones/${id}/hold?hold_after=${later(hour)}`);
    assert.equal((await get(`/zones/${id}/hold`)).body.result.hold, false);
    await app.request("PATCH", `/zones/${id}/settings/development_mode`, { body: { value: "on" } });
    const record = { type: "A", name: "www", content: "192.0.2.1" };
    await app.request("POST", `/zones/${id}/dns_records`, { body: record });
    const serialOf = async (): Promise<number> => {
      const { text } = await get(`/zones/${id}/dns_records/export`);
      return Number(/IN\tSOA\t\S+ \S+ (\d+)/.exec(text)?.[1]);
    };
    const serial = await serialOf();
    assert.equal((await get(`/zones/${id}/dns_records`, byIt)).status, 200);
    assert.equal((await get(`/zones/${id}`)).body.result.development_mode, 3 * 3_600);
    while ((await get("/user")).status === 200);

    const moved = await controls.result("POST", "/clock/advance", { hours: 4 });
    assert.deepEqual(moved, { now: later(4 * hour), frozen: false });
    assert.equal((await get("/user")).status, 200);
    assert.equal((await get(`/zones/${id}/dns_records`, byIt)).status, 403);
    assert.ok((await get(`/zones/${id}`)).body.result.development_mode <= 0);
    await app.request("POST", `/zones/${id}/dns_records`, { body: { ...record, name: "mail" } });
    assert.ok((await serialOf()) > serial + 3 * 3_600);
    assert.equal((await get(`/zones/${id}/hold`)).body.result.hold, true);
  });

  test("renews certificates in the order in which they become due, and deletes what is past keeping", async (t) => {
    const app = await startTestApp(t, engine, { ...withTestControls, audit_log_days: 200 });
    const controls = testControlsOf(app);
    await controls.result("PATCH", "/clock", { frozen: true });
    for (const name of ["one.example", "two.example"]) {
      const id = await app.createZone(name);
      await app.request("PUT", `/zones/${id}/activation_check`);
      await controls.result("POST", "/clock/advance", { hours: 1 });
    }
    await controls.result("POST", "/clock/advance", { days: 100 });
    const logs = async (): Promise<{ when: string; zone: { name: string }; action: { type: string } }[]> =>
      (await app.request("GET", `/accounts/${app.owner.accountId}/audit_logs?per_page=100&since=2020-01-01`))
        .body.result;
    const issued = (await logs())
      .filter(({ action }) => action.type === "certificate_pack_issue")
      .toReversed();
    assert.equal(issued.length, 4, JSON.stringify(issued));
    const times = issued.map(({ when }) => when);
    assert.deepEqual(times, times.toSorted());
    for (const renewed of times.slice(2)) {
      assert.ok(renewed > later(59 * day) && renewed < later(66 * day), renewed);
    }

    await controls.result("POST", "/clock/advance", { days: 300 });
    assert.ok((await logs()).every(({ when }) => when > later(200 * day)));
  });
});

describe("the clock of the test controls", () => {
  test("lets what is made at the last time at which it can stand expire later", async (t) => {
    const app = await startTestApp(t, "sqlite", withTestControls);
    const last = "9899-12-31T23:59:59.000Z";
    await testControlsOf(app).result("PATCH", "/clock", { now: last, frozen: true });
    const id = await app.createZone("example.com");
    await app.request("PUT", `/zones/${id}/activation_check`);
    await testControlsOf(app).result("POST", "/clock/advance", { milliseconds: 500 });
    const { body } = await app.request("GET", `/zones/${id}/ssl/certificate_packs`);
    assert.deepEqual(
      body.result.map(({ status }: { readonly status: string }) => status),
      ["active"],
    );
    assert.match(body.result[0].certificates[0].expires_on, /^9900-/);
  });

  test("stands still while it is frozen, goes on from there, and back to the machine's time", async (t) => {
    const app = await startTestApp(t, "sqlite", withTestControls);
    const controls = testControlsOf(app);
    const at = "2030-01-31T12:00:00.000Z";
    const frozen = await controls.result("PATCH", "/clock", { frozen: true, now: "2030-01-31T12:00:00Z" });
    assert.deepEqual(frozen, { now: at, frozen: true });
    app.advance(5_000);
    assert.deepEqual(await controls.result("GET", "/clock"), frozen);
    assert.deepEqual(await controls.result("PATCH", "/clock", { frozen: false }), { now: at, frozen: false });
    app.advance(5_000);
    assert.equal((await controls.result("GET", "/clock")).now, "2030-01-31T12:00:05.000Z");
    assert.equal((await controls.result("PATCH", "/clock", { now: null })).now, later(10_000));
  });

  test("is frozen from the start where a setting says when", async (t) => {
    const app = await startTestApp(t, "sqlite", {
      ...withTestControls,
      clock_start: "2031-01-01T00:00:00+01:00",
    });
    const clock = await testControlsOf(app).result("GET", "/clock");
    assert.deepEqual(clock, { now: "2030-12-31T23:00:00.000Z", frozen: true });
    const id = await app.createZone("example.com");
    const { created_on } = (await app.request("GET", `/zones/${id}`)).body.result;
    assert.equal(Date.parse(created_on), Date.parse(clock.now));
  });

  test("refuses what is no time or out of reach, and stays where it is", async (t) => {
    const app = await startTestApp(t, "sqlite", withTestControls);
    const controls = testControlsOf(app);
    for (const [method, path, body, pointer] of [
      ["PATCH", "/clock", { now: "tomorrow" }, "/now"],
      ["PATCH", "/clock", { now: "1969-12-31T00:00:00Z" }, "/now"],
      ["PATCH", "/clock", { now: "9900-01-01T00:00:00Z" }, "/now"],
      ["PATCH", "/clock", { now: 5 }, "/now"],
      ["PATCH", "/clock", { frozen: "yes" }, "/frozen"],
      ["POST", "/clock/advance", { hours: -1 }, "/hours"],
      ["POST", "/clock/advance", { days: 1e9 }, "/days"],
      ["POST", "/clock/advance", { days: 1e300 }, "/days"],
    ] as const) {
      const { status, body: answer } = await controls.send(method, path, body);
      assert.equal(status, 400, JSON.stringify(body));
      assert.equal(answer.errors[0]?.source?.pointer, pointer);
    }
    assert.equal((await controls.result("GET", "/clock")).now, startOfTime.toISOString());
  });

  test("a move stops at every time at which something is due, and ends even if something always is", async () => {
    const seen: number[] = [];
    const clock = new TestClock(() => startOfTime);
    const from = startOfTime.getTime();
    const due = [from + 10, from + 500, from + 2_000];
    const work = {
      nextDue: async () => new Date(due[0] ?? from + 9_000),
      round: async () => {
        seen.push(clock.now().getTime() - from);
        while ((due[0] ?? Infinity) <= clock.now().getTime()) due.shift();
      },
    };
    await clock.moveTo(from + 1_000, work);
    assert.deepEqual(seen, [10, 500, 1_000]);
    let rounds = 0;
    await clock.moveTo(from + day, {
      nextDue: async () => new Date(from),
      round: async () => void (rounds += 1),
    });
    assert.ok(rounds > 10 && rounds < 1_100, `${rounds}`);
    assert.equal(clock.now().getTime(), from + day);
  });
});

test("two servers with the same seed make the same ids for the same requests, and others with another seed", async (t) => {
  const made = async (ids_seed: string): Promise<string[]> => {
    const app = await startTestApp(t, "sqlite", { ...withTestControls, ids_seed });
    const id = await app.createZone("example.com");
    const records = Array.from({ length: 1_500 }, (_, n) => `host-${n} 300 A 192.0.2.1`);
    const form = new FormData();
    form.append("file", new Blob([records.join("\n")]), "zone.txt");
    await fetch(`${app.baseUrl}/zones/${id}/dns_records/import`, {
      method: "POST",
      headers: bearer("owner-token-of-the-tests-0123456789abcdef"),
      body: form,
    });
    const { body } = await app.request("GET", `/zones/${id}/dns_records?per_page=100`);
    return [app.owner.accountId, id, ...(body.result as { id: string }[]).map((record) => record.id)];
  };
  const [one, same, other] = [await made("seed"), await made("seed"), await made("another")];
  assert.equal(one.length, 102);
  assert.deepEqual(one, same);
  assert.equal(one.filter((id) => other.includes(id)).length, 0);
  assert.ok(one.every((id) => /^[0-9a-f]{32}$/.test(id)));
});
