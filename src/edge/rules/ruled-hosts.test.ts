import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";

import { startEdgeApp, startOrigin } from "../../../test/support/edge-app.ts";
import { openHttp2, serveHttps } from "../../../test/support/http2-visitor.ts";
import { ask, startJudge, type Question } from "../../../test/support/judge.ts";
import { exchange } from "../../../test/support/raw-http.ts";

const custom = "http_request_firewall_custom";
const block = (expression: string) => ({ action: "block", expression });

/** Ways in which a visitor may write the host `www.example.com`. */
const spellings = [
  "www.example.com",
  "www.example.com:1",
  "www.example.com:80",
  "www.example.com:443",
  "www.example.com:8080",
  "www.example.com.",
  "WWW.Example.COM.:65535",
];

const statusOf = (received: string) => Number(received.split(" ", 2)[1]);

test("however a visitor writes a host, its rules see the name alone, and its origin gets it as it was written", async (t) => {
  const edge = await startEdgeApp(t, "sqlite", await startOrigin(t));
  const { url, rules, visit, untilStatus } = edge;
  await rules(custom, [
    block('http.host eq "www.example.com" and http.request.uri.path eq "/host"'),
    block('http.request.full_uri eq "http://www.example.com/full"'),
    block('raw.http.request.full_uri eq "http://www.example.com/raw"'),
  ]);
  await untilStatus("/host", 403);
  for (const host of spellings) {
    for (const path of ["/host", "/full", "/raw"]) {
      assert.equal((await visit(path, { host })).status, 403, `${host}${path}`);
      const absolute = `GET http://${host}${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
      assert.equal(statusOf(await exchange(url, absolute)), 403, absolute);
    }
    const passed = await visit("/", { host });
    assert.deepEqual([passed.status, passed.echo.headers.host], [200, host.toLowerCase()]);
  }
  for (const host of [
    "user@www.example.com",
    "www.example.com:",
    "www.example.com:65536",
    "www.example.com..",
    "www%2eexample.com",
  ]) {
    assert.equal((await visit("/host", { host })).status, 400, host);
    const absolute = `GET http://${host}/host HTTP/1.1\r\nHost: www.example.com\r\nConnection: close\r\n\r\n`;
    assert.equal(statusOf(await exchange(url, absolute)), 400, absolute);
  }
});

test("the authority of HTTP/2 is a host like any other", async (t) => {
  const edge = await startEdgeApp(t, "sqlite", await startOrigin(t));
  await serveHttps(edge);
  await edge.rules(custom, [block('http.host eq "www.example.com" and http.request.uri.path eq "/host"')]);
  await edge.untilStatus("/host", 403);
  const session = openHttp2(t, edge);
  for (const authority of spellings) {
    const stream = session.request({ ":path": "/host", ":authority": authority });
    const [head] = (await once(stream.resume(), "response")) as [Record<string, unknown>];
    assert.equal(head[":status"], 403, authority);
  }
});

test("page rules, lockdowns, redirects and rate limits compare hosts without what a visitor writes behind them", async (t) => {
  const { change, rules, visit, untilStatus } = await startEdgeApp(t, "sqlite", await startOrigin(t));
  const forward = { id: "forwarding_url", value: { url: "https://example.net/$1", status_code: 302 } };
  await change("POST", "/pagerules", {
    targets: [{ target: "url", constraint: { operator: "matches", value: "www.example.com/page/*" } }],
    actions: [forward],
    status: "active",
  });
  await change("POST", "/firewall/lockdowns", {
    urls: ["www.example.com/locked*"],
    configurations: [{ target: "ip", value: "192.0.2.1" }],
  });
  await rules("http_request_dynamic_redirect", [
    {
      action: "redirect",
      expression: 'http.host eq "www.example.com" and http.request.uri.path eq "/single"',
      action_parameters: {
        from_value: { target_url: { expression: 'concat("https://", http.host, "/found")' } },
      },
    },
  ]);
  await rules("http_ratelimit", [
    {
      action: "block",
      expression: 'http.request.uri.path eq "/limited"',
      ratelimit: {
        characteristics: ["cf.colo.id", "http.host"],
        period: 3600,
        requests_per_period: spellings.length,
        mitigation_timeout: 3600,
      },
    },
  ]);
  await untilStatus("/single", 301);
  await untilStatus("/locked", 403);
  await untilStatus("/page/a", 302);
  for (const host of spellings) {
    const moved = await visit("/page/a", { host });
    assert.deepEqual([moved.status, moved.headers.location], [302, "https://example.net/a"], host);
    assert.equal((await visit("/locked", { host })).status, 403, host);
    const single = await visit("/single", { host });
    assert.deepEqual([single.status, single.headers.location], [301, "https://www.example.com/found"]);
    assert.equal((await visit("/limited", { host })).status, 200, host);
  }
  assert.equal((await visit("/limited", { host: "www.example.com:7" })).status, 429);
});

test("rules read the port at which a request came, whatever port its host names", async (t) => {
  const { url, rules, visit, untilStatus } = await startEdgeApp(t, "sqlite", await startOrigin(t));
  const { port } = new URL(url);
  await rules(custom, [block(`http.request.uri.path eq "/port" and cf.edge.server_port eq ${port}`)]);
  await untilStatus("/port", 403);
  assert.equal((await visit("/port", { host: "www.example.com:443" })).status, 403);
  await rules(custom, [block('http.request.uri.path eq "/port" and cf.edge.server_port in {1 80 443}')]);
  for (const host of [`www.example.com:${port}`, "www.example.com:1", "www.example.com:443"])
    await untilStatus("/port", 200, { host });
});

test("proxies that ask the judge tell it the name of a host, whatever their visitors write behind it", async (t) => {
  const { rules, port } = await startJudge(t, "sqlite");
  await rules(custom, [
    block('http.host eq "www.example.com" and http.request.uri.path eq "/no"'),
    block('http.request.uri.path eq "/port" and cf.edge.server_port in {443 8443}'),
  ]);
  const forwarded = (host: string): Question["headers"] => ({
    "x-forwarded-method": "GET",
    "x-forwarded-proto": "https",
    "x-forwarded-host": host,
    "x-forwarded-uri": "/no",
    "x-forwarded-for": "192.0.2.7",
  });
  const questions: Readonly<Record<string, (host: string) => readonly [string, Question["headers"]]>> = {
    nginx: (host) => [
      "/nginx",
      { "x-original-method": "GET", "x-original-url": `https://${host}/no`, "x-real-ip": "192.0.2.7" },
    ],
    envoy: (host) => ["/envoy/no", { host, "x-real-ip": "192.0.2.7", "x-forwarded-proto": "https" }],
    traefik: (host) => ["/traefik", forwarded(host)],
    caddy: (host) => ["/caddy", forwarded(host)],
  };
  for (const [name, question] of Object.entries(questions)) {
    for (const host of spellings) {
      const [path, headers = {}] = question(host);
      assert.equal((await ask(port, path, { headers })).status, 403, `${name} ${host}`);
    }
  }
  // The documented configuration of nginx says at which of its own ports the request came; other proxies do not.
  const original = "https://www.example.com:8443/port";
  const ofNginx = { "x-original-method": "GET", "x-original-url": original, "x-real-ip": "192.0.2.7" };
  assert.equal((await ask(port, "/nginx", { headers: ofNginx })).status, 403);
  const ofCaddy = { ...forwarded("www.example.com:1"), "x-forwarded-uri": "/port" };
  assert.equal((await ask(port, "/caddy", { headers: ofCaddy })).status, 403);
});
