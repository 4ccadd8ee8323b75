import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { startFaultApp, type FaultApp } from "../../test/support/fault-api.ts";
import { byToken, onComparedEngines } from "../../test/support/harness.ts";
import { exchange, requestText } from "../../test/support/raw-http.ts";
import { bearer } from "../../test/support/token-api.ts";

const anybody = bearer("x".repeat(40));
const newId = "0123456789abcdef".repeat(2);

onComparedEngines("the lenient profile", (engine) => {
  test("takes any well-formed credentials for the owner's, and makes a zone that is used", async (t) => {
    const app = await startFaultApp(t, engine);
    const read = async (path: string, headers = anybody) => app.request("GET", path, { headers });
    assert.equal((await read(`/zones/${newId}`)).status, 403);
    assert.equal((await app.control("PUT", "/profile", { profile: "lenient" })).status, 200);
    assert.equal((await read("/user")).body.result.email, app.owner.email);
    const zone = await read(`/zones/${newId}`);
    assert.deepEqual([zone.status, zone.body.result.id, zone.body.result.status], [200, newId, "active"]);
    const record = { type: "A", name: "www", content: "192.0.2.1", ttl: 300 };
    const other = `/zones/${"a".repeat(32)}/dns_records`;
    assert.equal((await app.request("POST", other, { headers: anybody, body: record })).status, 200);
    const [found] = (await read("/zones?name=example.com")).body.result;
    assert.equal(found.name, "example.com");
    assert.equal((await read("/zones?name=example.com")).body.result.length, 1);
    assert.deepEqual((await read("/zones?name=-")).body.result, []);
    assert.equal((await read("/user", { authorization: "Bearer short" })).status, 400);
    await app.control("PUT", "/profile", { profile: "strict" });
    assert.equal((await read("/user")).status, 403);
    assert.equal((await read(`/zones/${"b".repeat(32)}`, byToken)).status, 404);
  });
});

test("the lenient profile serves no browser under a name that may have been made to lead there, nor makes its zone", async (t) => {
  const app = await startFaultApp(t, "sqlite", { allowed_hosts: ["devbox"], test_profile: "lenient" });
  const url = new URL(app.baseUrl);
  const statusOf = async (host: string, headers: Readonly<Record<string, string>>): Promise<string> => {
    const path = `${url.pathname}/zones?name=made.example`;
    const answer = await exchange(url.origin, requestText("GET", path, { ...anybody, ...headers, host }, ""));
    return /^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? answer;
  };
  const browsers = [
    { origin: "http://rebound.example" },
    { "sec-fetch-site": "same-origin" },
    { "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0" },
  ];
  for (const headers of browsers) assert.equal(await statusOf("rebound.example:8787", headers), "421");
  assert.deepEqual((await app.request("GET", "/zones")).body.result, []);
  for (const host of ["localhost", "127.0.0.1:8787", "devbox"]) {
    assert.equal(await statusOf(host, browsers[0] ?? {}), "200", host);
  }
  assert.equal(await statusOf("rebound.example", { "user-agent": "curl/8.14.1" }), "200");
  await app.control("PUT", "/profile", { profile: "strict" });
  assert.equal(await statusOf("rebound.example", browsers[0] ?? {}), "403");
});

describe("the awkward profile", () => {
  const outcomes = async (app: FaultApp): Promise<readonly unknown[]> => {
    const seen: unknown[] = [];
    for (let request = 0; request < 60; request += 1) {
      const { status, body } = await app.request("GET", "/zones?order=status");
      seen.push([status, status === 200 ? body.result.map(({ name }: { name: string }) => name) : undefined]);
    }
    return seen;
  };

  test("varies the order of equal items and answers rare errors, in the same way for the same seed", async (t) => {
    const seen: (readonly unknown[])[] = [];
    for (const seed of [3, 3, 4]) {
      const app = await startFaultApp(t);
      for (const name of ["a.example", "b.example", "c.example"]) await app.createZone(name);
      await app.control("PUT", "/profile", { profile: "awkward", seed });
      seen.push(await outcomes(app));
    }
    const [first, again, other] = seen;
    assert.deepEqual(first, again);
    assert.notDeepEqual(first, other);
    const texts = new Set(first?.map((outcome) => JSON.stringify(outcome)));
    assert.ok(texts.size > 4, [...texts].join("\n"));
  });

  test("is set from the start by the settings, and told", async (t) => {
    const app = await startFaultApp(t, "sqlite", { test_profile: "awkward", test_profile_seed: 5 });
    assert.deepEqual((await app.control("GET", "/profile")).body.result, { profile: "awkward", seed: 5 });
    assert.equal((await app.control("PUT", "/profile", { profile: "easy" })).status, 400);
  });
});
