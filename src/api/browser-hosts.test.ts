import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";

import { startGateway } from "../../test/support/gateway-app.ts";
import { startNode } from "../../test/support/json-rpc-node.ts";
import { exchange, requestText } from "../../test/support/raw-http.ts";
import type { Config } from "../config/settings.ts";

const call = '{"jsonrpc":"2.0","id":1,"method":"eth_gasPrice"}';
const webSocket = {
  connection: "upgrade",
  upgrade: "websocket",
  "sec-websocket-version": "13",
  "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
};
/** Each of these headers identifies a browser. */
const browsers: readonly Readonly<Record<string, string>>[] = [
  { origin: "http://rebound.example:8787" },
  { "sec-fetch-site": "same-origin" },
  { "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0" },
];

interface Asked {
  readonly host: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A server, and the status of its answers to requests of each kind. */
async function start(t: TestContext, settings: Partial<Config> = {}) {
  const node = await startNode(t);
  const app = await startGateway(t, [{ name: "mainnet", upstreams: [node.url] }], settings);
  const asking =
    (method: string, path: string, own: Readonly<Record<string, string>> = {}, body = "") =>
    async ({ host, headers }: Asked): Promise<number> => {
      const answer = await exchange(app.url, requestText(method, path, { ...headers, ...own, host }, body));
      return Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);
    };
  const network = "/gateway/v1/mainnet";
  return {
    node,
    post: asking("POST", network, { "content-length": String(call.length) }, call),
    preflight: asking("OPTIONS", network, { "access-control-request-method": "POST" }),
    /** To be refused: a WebSocket that is opened would not end by itself. */
    upgrade: asking("GET", network, webSocket),
    metrics: asking("GET", "/metrics"),
    probe: asking("GET", "/healthz"),
  };
}

describe("a browser at a server on loopback", () => {
  test("is not served under a name that may have been made to lead there, and nothing is asked", async (t) => {
    const { node, post, preflight, upgrade, metrics, probe } = await start(t);
    for (const headers of browsers) {
      for (const host of [
        "rebound.example:8787",
        "rebound.example",
        "localhost.rebound.example",
        "10.0.0.1",
        "",
      ]) {
        const asked = { host, headers };
        assert.equal(await post(asked), 421, host);
        assert.equal(await preflight(asked), 421, host);
        assert.equal(await upgrade(asked), 421, host);
        assert.equal(await metrics(asked), 421, host);
        assert.equal(await probe(asked), 200, host);
      }
    }
    assert.equal(node.requests, 0);
  });

  test("is served under every name of loopback, that of public_url and those in allowed_hosts", async (t) => {
    const { post, metrics } = await start(t, {
      public_url: "https://zones.example.com",
      allowed_hosts: ["devbox", "2001:db8::1"],
    });
    for (const headers of browsers) {
      for (const host of [
        "localhost:8787",
        "LocalHost.",
        "app.localhost",
        "127.0.0.1",
        "127.1.2.3:80",
        "[::1]:8787",
        "zones.example.com",
        "Zones.Example.com:443",
        "devbox:8787",
        "[2001:db8::1]",
      ]) {
        assert.equal(await post({ host, headers }), 200, host);
        assert.equal(await metrics({ host, headers }), 200, host);
      }
    }
  });

  test("is distinguished from other clients, which may use any name", async (t) => {
    const { post, metrics } = await start(t);
    for (const headers of [{}, { "user-agent": "curl/8.14.1" }, { "user-agent": "Prometheus/3.5.0" }]) {
      assert.equal(await post({ host: "api.example.com", headers }), 200);
      assert.equal(await metrics({ host: "api.example.com", headers }), 200);
    }
  });
});

test("a browser at a server on any other address finds /metrics closed under such names, the gateway as it is set", async (t) => {
  const { post, metrics } = await start(t, { host: "0.0.0.0", insecure_http: true, gateway_auth: "none" });
  for (const headers of browsers) {
    const asked = { host: "rebound.example:8787", headers };
    assert.deepEqual([await metrics(asked), await post(asked)], [421, 200]);
  }
});
