import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { byKey, byToken, onComparedEngines, startTestApp, type TestApp } from "../../test/support/harness.ts";
import { addAccount, addUser } from "../../test/support/store.ts";
import { startTransport } from "../../test/support/transport.ts";

const metricsToken = "metrics-token-of-the-tests-0123456789abcdef";

const readMetrics = (app: TestApp, headers: Record<string, string>): Promise<Response> =>
  fetch(`${new URL(app.baseUrl).origin}/metrics`, { headers });

const fromOutside = { "x-forwarded-for": "203.0.113.9" };

onComparedEngines("probes", (engine) => {
  test("/healthz and /readyz need no credentials and answer 200", async (t) => {
    const app = await startTestApp(t, engine);
    const { origin } = new URL(app.baseUrl);
    for (const path of ["/healthz", "/readyz", "/healthz/"]) {
      const answer = await fetch(origin + path);
      assert.equal(answer.status, 200, path);
      assert.equal(await answer.text(), '{"status":"ok"}', path);
    }
  });
});

describe("probes", () => {
  test("/readyz is 503 while the store does not answer, and /healthz is not", async (t) => {
    let isGone = true;
    const origin = await startTransport(t, {
      ping: async () => {
        if (isGone) throw new Error("the password of the database is hunter2");
      },
    });
    const refused = await fetch(`${origin}/readyz`);
    assert.equal(refused.status, 503);
    assert.equal(await refused.text(), '{"status":"unavailable"}');
    assert.equal((await fetch(`${origin}/healthz`)).status, 200);
    isGone = false;
    assert.equal((await fetch(`${origin}/readyz`)).status, 200);
  });

  test("/metrics counts by route pattern, never by path", async (t) => {
    const app = await startTestApp(t, "sqlite");
    const zoneId = await app.createZone("example.com");
    await app.request("GET", `/zones/${zoneId}`);
    await app.request("GET", `/zones/${zoneId}`);
    await app.request("GET", "/nothing-of-that-name");
    await app.request("GET", "/zones/%zz");
    const answer = await fetch(`${new URL(app.baseUrl).origin}/metrics`);
    const text = await answer.text();
    assert.equal(answer.status, 200);
    assert.match(answer.headers.get("content-type") ?? "", /^text\/plain; version=/);
    const zoneRoute = 'method="GET",route="/client/v4/zones/{zone_id}"';
    assert.ok(text.includes(`zoneward_http_requests_total{${zoneRoute},status="200"} 2`), text);
    assert.ok(text.includes(`zoneward_http_request_duration_seconds_count{${zoneRoute}} 2`), text);
    assert.ok(text.includes('zoneward_http_requests_total{method="GET",route="unknown",status="400"} 2'));
    assert.match(text, /^process_resident_memory_bytes \d+$/m);
    for (const secret of [zoneId, "nothing-of-that-name", "example.com"])
      assert.ok(!text.includes(secret), secret);
  });

  test("/metrics wants the owner's credentials or the token of a caller that is not in its networks", async (t) => {
    const app = await startTestApp(t, "sqlite", {
      trusted_proxies: ["127.0.0.1/32"],
      metrics_token: metricsToken,
    });
    const administrator = await addUser(app, "administrator@example.com", { account: app.owner.accountId });
    const stranger = await addUser(app, "stranger@example.com", {
      account: await addAccount(app, "Another"),
    });
    const cases: readonly (readonly [string, Record<string, string>, number, number?])[] = [
      ["loopback", {}, 200],
      ["loopback behind the proxy", { "x-forwarded-for": "127.0.0.5" }, 200],
      ["loopback of IPv6", { "x-forwarded-for": "::1" }, 200],
      ["loopback, mapped", { "x-forwarded-for": "::ffff:127.0.0.1" }, 200],
      ["outside", fromOutside, 400, 9106],
      ["outside, IPv6", { "x-forwarded-for": "2001:db8::1" }, 400, 9106],
      ["outside, mapped", { "x-forwarded-for": "::ffff:203.0.113.9" }, 400, 9106],
      ["no address at all", { "x-forwarded-for": "unknown" }, 400, 9106],
      ["loopback as the client says itself", { "x-forwarded-for": "127.0.0.1, 203.0.113.9" }, 400, 9106],
      ["for whom the proxy does not say", { via: "1.1 proxy" }, 400, 9106],
      [
        "outside with an unknown token",
        { ...fromOutside, authorization: `Bearer ${"x".repeat(40)}` },
        403,
        9109,
      ],
      [
        "outside, as a super administrator of the owner's account",
        { ...fromOutside, ...administrator.headers },
        403,
      ],
      ["outside, as a super administrator of another account", { ...fromOutside, ...stranger.headers }, 403],
      ["outside as the owner", { ...fromOutside, ...byToken }, 200],
      ["outside as the owner, by key", { ...fromOutside, ...byKey }, 200],
      ["outside with the token", { ...fromOutside, authorization: `Bearer ${metricsToken}` }, 200],
    ];
    for (const [title, headers, status, code] of cases) {
      const answer = await readMetrics(app, headers);
      const text = await answer.text();
      assert.equal(answer.status, status, `${title}: ${text.slice(0, 200)}`);
      if (status === 200) assert.ok(text.includes("zoneward_http_requests_total"), title);
      else assert.ok(!text.includes("zoneward_"), title);
      if (code !== undefined) assert.equal(JSON.parse(text).errors[0].code, code, title);
    }
    const elsewhere = { headers: { authorization: `Bearer ${metricsToken}` } };
    assert.equal(
      (await app.request("GET", "/zones", elsewhere)).status,
      403,
      "the token is for nothing else",
    );
  });

  test("/metrics is open to the networks of the setting alone", async (t) => {
    const proxied = { trusted_proxies: ["127.0.0.1"] };
    const open = await startTestApp(t, "sqlite", { ...proxied, metrics_networks: ["203.0.113.0/24"] });
    assert.equal((await readMetrics(open, fromOutside)).status, 200);
    assert.equal((await readMetrics(open, { "x-forwarded-for": "203.0.114.9" })).status, 400);
    assert.equal((await readMetrics(open, {})).status, 400);
    const closed = await startTestApp(t, "sqlite", { metrics_networks: ["none"] });
    assert.equal((await readMetrics(closed, {})).status, 400);
    assert.equal((await readMetrics(closed, byToken)).status, 200);
  });

  test("a client whose address its proxy does not name is not one of this machine", async (t) => {
    const app = await startTestApp(t, "sqlite", { trusted_proxies: ["127.0.0.1"] });
    const headers = { "x-forwarded-for": "somebody" };
    const answer = await fetch(`${new URL(app.baseUrl).origin}/metrics`, { headers });
    assert.equal(answer.status, 400, await answer.text());
  });

  test("what a proxy passes on that is not trusted comes from no network, whatever it says", async (t) => {
    const app = await startTestApp(t, "sqlite");
    for (const headers of [
      fromOutside,
      { "x-forwarded-for": "127.0.0.1" },
      { forwarded: "for=127.0.0.1" },
      { "x-real-ip": "127.0.0.1" },
      { "x-client-ip": "127.0.0.1" },
      { "true-client-ip": "127.0.0.1" },
      { "cf-connecting-ip": "127.0.0.1" },
      { "x-forwarded-proto": "https" },
      { "x-forwarded-port": "443" },
    ])
      assert.equal((await readMetrics(app, headers)).status, 400, JSON.stringify(headers));
    assert.equal((await readMetrics(app, { ...fromOutside, ...byToken })).status, 200);
  });
});
