import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { test, type TestContext } from "node:test";

import { startOrigin } from "../../../test/support/edge-app.ts";
import { solvePage } from "../../../test/support/challenge.ts";
import { freePort } from "../../../test/support/fixed-port.ts";
import { until } from "../../../test/support/harness.ts";
import { ask, startJudge, type Question } from "../../../test/support/judge.ts";
import {
  documentedBlock,
  proxyEngines,
  startProxy,
  withoutProxy,
} from "../../../test/support/proxy-engines.ts";
import { exchange } from "../../../test/support/raw-http.ts";

for (const [name, engine] of Object.entries(proxyEngines)) {
  test(
    `${name} enforces rules by the documented configuration`,
    { skip: withoutProxy(engine) },
    async (t) => {
      const { app, port, origin } = await startJudge(t, "sqlite", { trusted_proxies: ["127.0.0.1"] });
      const zoneWithoutRules = await app.createZone("example.org");
      await app.request("PUT", `/zones/${zoneWithoutRules}/activation_check`);
      const at = await freePort();
      const configuration = documentedBlock("docs/operating/edge-judge.md", engine.language, engine.heading)
        .replaceAll("127.0.0.1:8081", `127.0.0.1:${port}`)
        .replaceAll("127.0.0.1:3000", `127.0.0.1:${origin}`)
        .replaceAll(/:80\b/g, `:${at}`);
      await startProxy(t, engine, configuration, at);
      // Traefik asks with a User-Agent of its own for a visitor without one.
      const sent = { host: `www.example.com:${at}`, "user-agent": "a browser" };
      const visit = (path: string, question: Question = {}) =>
        ask(at, path, { ...question, headers: { ...sent, ...question.headers } });
      // Traefik listens before it knows its routes.
      await until(`${name} has its routes`, async () => (await visit("/")).status !== 404);

      const passed = await visit("/set?a=b%20c", {
        method: "POST",
        body: "hello",
        headers: { "x-set": "a visitor's", "x-original-method": "DELETE", "x-forwarded-method": "DELETE" },
      });
      assert.equal(passed.status, 200, passed.text);
      const { method, url, headers, body } = JSON.parse(passed.text);
      assert.deepEqual([method, url, body, headers["x-set"]], ["POST", "/set?a=b%20c", "hello", "by a rule"]);
      assert.match(String(headers["cf-ray"]), /^[0-9a-f]{16}-/);
      const struck = await visit("/set", { headers: { connection: "close, x-set, cf-connecting-ip" } });
      assert.equal(
        JSON.parse(struck.text).headers["x-set"],
        "by a rule",
        "a visitor strikes nothing that a rule set",
      );
      const forged = { "x-set": "a visitor's", "cf-connecting-ip": "203.0.113.1" };
      const kept = JSON.parse((await visit("/", { headers: forged })).text);
      assert.deepEqual(
        [kept.headers["x-set"], kept.headers["cf-connecting-ip"]],
        ["a visitor's", "127.0.0.1"],
      );
      const plain = JSON.parse((await visit(`/${"a".repeat(7_500)}`)).text);
      assert.deepEqual([plain.url.length, plain.headers["x-set"] || undefined], [7_501, undefined]);
      if (name === "nginx") {
        assert.equal(JSON.parse((await visit("/from?q")).text).url, "/to?q");
        const bytes = Buffer.from("GET /é?ü HTTP/1.1\r\nHost: www.example.com\r\nConnection: close\r\n\r\n");
        const received = await exchange(`http://127.0.0.1:${at}`, bytes);
        assert.match(received, /"url":"\/%C3%A9\?%C3%BC"/, "octets beyond ASCII");
      }

      const teapot = await visit("/teapot", { method: "POST", body: "hello" });
      assert.deepEqual(
        [teapot.status, teapot.text, teapot.headers["content-type"]],
        [418, "a teapot", "text/plain"],
      );
      const moved = await visit("/old");
      assert.deepEqual([moved.status, moved.headers.location], [308, "https://example.net/new"]);
      const challenge = await visit("/prove");
      assert.deepEqual([challenge.status, challenge.headers["cf-mitigated"]], [403, "challenge"]);
      assert.ok(challenge.text.includes(String(challenge.headers["cf-ray"])));
      const solved = await visit("/cdn-cgi/challenge-platform/answer", {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: String(solvePage(challenge)),
      });
      const [cookie = ""] = solved.headers["set-cookie"] ?? [];
      assert.match(cookie, /^cf_clearance=/);
      const cleared = await visit("/prove", { headers: { cookie: cookie.split(";", 1)[0] ?? "" } });
      assert.equal(cleared.status, 200);
      assert.equal((await visit("/", { method: "DELETE" })).status, 403);

      const elsewhere = { host: "www.example.org" };
      assert.doesNotMatch((await visit("/teapot", { headers: elsewhere })).text, /"method"/);
      const named = await visit(`http://www.example.com:${at}/teapot`, { headers: elsewhere });
      assert.equal(
        named.status,
        418,
        "the host by which the proxy chose its server decides whose rules judge",
      );
      const asEnvoy = { "x-real-ip": "203.0.113.1" };
      const asked = await visit("/envoy/../cdn-cgi/challenge-platform/answer", { headers: asEnvoy });
      assert.equal(asked.headers["x-zoneward-uri"], undefined, "a visitor asks nothing");
    },
  );
}

/** Takes questions, and never answers. */
async function startMuteJudge(t: TestContext): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => sockets.add(socket.resume().on("error", () => undefined)));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return (server.address() as AddressInfo).port;
}

for (const [name, status] of [
  ["nginx", 500],
  ["caddy", 504],
] as const) {
  const engine = proxyEngines[name];
  test(
    `${name} answers visitors ${status} where the judge does not answer in time, by the documented configuration`,
    { skip: withoutProxy(engine) },
    async (t) => {
      let asked = 0;
      const origin = await startOrigin(t, (_request, response) => {
        asked += 1;
        response.end();
      });
      const at = await freePort();
      const configuration = documentedBlock("docs/operating/edge-judge.md", engine.language, engine.heading)
        .replaceAll("127.0.0.1:8081", `127.0.0.1:${await startMuteJudge(t)}`)
        .replaceAll("127.0.0.1:3000", `127.0.0.1:${origin}`)
        .replaceAll(/:80\b/g, `:${at}`)
        .replaceAll(/\b5s\b/g, "1s");
      await startProxy(t, engine, configuration, at);
      const began = performance.now();
      const answer = await ask(at, "/", { headers: { host: `www.example.com:${at}` } });
      assert.deepEqual([answer.status, asked], [status, 0]);
      assert.ok(performance.now() - began < 30_000, "a proxy by itself waits for a minute, or for ever");
    },
  );
}
