import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { networkDefaults } from "../../gateway/chain/networks.ts";
import { startTestApp, type Envelope, type TestApp } from "../../../test/support/harness.ts";

async function listNetworks(app: TestApp, headers?: Record<string, string>): Promise<Envelope["result"]> {
  const answer = await app.request("GET", "/gateway/networks", headers && { headers });
  assert.equal(answer.status, 200, answer.text);
  return Object.fromEntries(answer.body.result.map((network: { name: string }) => [network.name, network]));
}

async function call(app: TestApp, network: string, method: string): Promise<void> {
  await fetch(`${app.gatewayUrl}/v1/${network}`, {
    method: "POST",
    body: JSON.stringify({ jsonrpc: "2.0", method, params: [], id: 1 }),
  });
}

describe("listGatewayNetworks", () => {
  test("each network says where its calls go, what answers them, and whether it has ended", async (t) => {
    const app = await startTestApp(t, "sqlite", {
      gateway_networks: [
        { ...networkDefaults("ending", 17_000), deprecatedOn: "2026-12-31", successor: "sepolia" },
      ],
    });
    const { mainnet, sepolia, rinkeby, ending } = await listNetworks(app);
    assert.deepEqual([mainnet.status, mainnet.source], ["unconfigured", "none"]);
    assert.deepEqual([sepolia.status, sepolia.source], ["active", "development_chain"]);
    assert.equal(sepolia.path, "/gateway/v1/sepolia");
    assert.equal(sepolia.chain_id, 11_155_111);
    assert.deepEqual(
      [rinkeby.status, rinkeby.deprecated_on, rinkeby.successor],
      ["retired", "2023-01-30", "sepolia"],
    );
    assert.deepEqual([ending.status, ending.successor], ["unconfigured", "sepolia"]);
  });

  test("calls are counted by minute, with those that failed; the minutes pass", async (t) => {
    const app = await startTestApp(t, "sqlite");
    await call(app, "sepolia", "eth_noSuchMethod");
    app.advance(60_000);
    await call(app, "sepolia", "eth_noSuchMethod");
    await call(app, "sepolia", "eth_noSuchMethod");
    const { calls } = (await listNetworks(app)).sepolia;
    assert.deepEqual([calls.total, calls.failed, calls.cached], [3, 3, 0]);
    assert.equal(calls.per_minute.length, 60);
    assert.deepEqual(calls.per_minute.slice(-2), [1, 2]);

    app.advance(59 * 60_000);
    const later = (await listNetworks(app)).sepolia.calls;
    assert.equal(later.total, 3);
    assert.deepEqual([later.per_minute[0], later.per_minute.at(-1)], [2, 0]);
    app.advance(60 * 60_000);
    assert.ok((await listNetworks(app)).sepolia.calls.per_minute.every((count: number) => count === 0));
  });

  test("an upstream is listed by its name, never by its URL", async (t) => {
    const secret = "a-secret-of-the-url";
    const upstream = { name: "first", url: `http://127.0.0.1:9/${secret}`, headers: {}, weight: 1 };
    const app = await startTestApp(t, "sqlite", {
      gateway_networks: [{ ...networkDefaults("own", 1), upstreams: [upstream], deadlineMs: 200 }],
    });
    assert.deepEqual((await listNetworks(app)).own.upstreams, [
      { name: "first", usable: null, block: null, requests: 0, failed: 0 },
    ]);
    await call(app, "own", "eth_chainId");
    const answer = await app.request("GET", "/gateway/networks");
    const own = answer.body.result.find(({ name }: { name: string }) => name === "own");
    assert.deepEqual([own.status, own.source], ["active", "upstreams"]);
    assert.ok(own.upstreams[0].requests > 0);
    assert.equal(own.upstreams[0].failed, own.upstreams[0].requests);
    assert.ok(!answer.text.includes(secret));
  });

  test("a token without Web3 Hostnames Read on any zone sees no network", async (t) => {
    const app = await startTestApp(t, "sqlite");
    const tokenWith = async (group: string): Promise<Record<string, string>> => {
      const groups = await app.request("GET", "/user/tokens/permission_groups");
      const { id } = groups.body.result.find(({ name }: { name: string }) => name === group);
      const { body } = await app.request("POST", "/user/tokens", {
        headers: { authorization: "Bearer owner-token-of-the-tests-0123456789abcdef" },
        body: {
          name: group,
          policies: [
            {
              effect: "allow",
              resources: { "com.cloudflare.api.account.zone.*": "*" },
              permission_groups: [{ id }],
            },
          ],
        },
      });
      return { authorization: `Bearer ${body.result.value}` };
    };
    assert.deepEqual(await listNetworks(app, await tokenWith("DNS Read")), {});
    assert.ok("sepolia" in (await listNetworks(app, await tokenWith("Web3 Hostnames Read"))));
  });
});
