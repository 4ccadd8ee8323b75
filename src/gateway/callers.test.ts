import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";

import { startGateway } from "../../test/support/gateway-app.ts";
import { byKey, byToken, ownerToken } from "../../test/support/harness.ts";
import { startNode } from "../../test/support/json-rpc-node.ts";
import { zone } from "../core/policy/permission-groups.ts";

const chainId = '{"jsonrpc":"2.0","method":"eth_chainId","id":7}';

/** Each address may make one call a minute; answers the statuses of calls that a trusted proxy makes for these. */
async function statusesBehindProxy(t: TestContext, forwarded: readonly string[]): Promise<number[]> {
  const node = await startNode(t);
  const app = await startGateway(t, [{ name: "mainnet", upstreams: [node.url] }], {
    gateway_rate_limit: 1,
    trusted_proxies: ["127.0.0.0/8"],
  });
  const statuses: number[] = [];
  for (const addresses of forwarded) {
    statuses.push((await app.post("mainnet", chainId, { "x-forwarded-for": addresses })).status);
  }
  return statuses;
}

describe("who may call", () => {
  const networks = (url: string): object[] => [{ name: "mainnet", upstreams: [url] }];

  test("any client on loopback", async (t) => {
    const app = await startGateway(t, networks((await startNode(t)).url));
    assert.equal((await app.post("mainnet", chainId)).body.result, "0x1");
  });

  test("with gateway_auth=token only whoever shows credentials, and nothing is asked for others", async (t) => {
    const node = await startNode(t);
    const app = await startGateway(t, networks(node.url), { gateway_auth: "token" });
    for (const [headers, status] of [
      [{}, 401],
      [{ authorization: "Bearer short" }, 401],
      [{ authorization: `Bearer ${"x".repeat(40)}` }, 403],
    ] as const) {
      const refused = await app.post("mainnet", chainId, headers);
      assert.deepEqual([refused.status, refused.body.id, refused.body.error?.code], [status, null, -32000]);
      assert.equal(refused.headers.get("www-authenticate"), status === 401 ? "Bearer" : null);
      const batch = await app.post("no-network", `[${chainId}]`, headers);
      assert.deepEqual([batch.status, batch.body.error?.code], [status, -32000]);
    }
    assert.equal(node.requests, 0);
    for (const headers of [byToken, byKey]) {
      assert.equal((await app.post("mainnet", chainId, headers)).body.result, "0x1");
    }
    assert.ok(node.headers.every(({ authorization }) => authorization === undefined));
  });

  test("with gateway_auth=token a token needs Web3 Hostnames Read on any zone", async (t) => {
    const app = await startGateway(t, networks((await startNode(t)).url), { gateway_auth: "token" });
    const [one, two] = [await app.app.createZone("one.example"), await app.app.createZone("two.example")];
    const onZone = (id: string): object => ({ [`com.cloudflare.api.account.zone.${id}`]: "*" });
    const onEveryZone = { "com.cloudflare.api.account.zone.*": "*" };
    const policy = (
      effect: string,
      name: "Web3 Hostnames Read" | "Web3 Hostnames Write" | "DNS Read",
      on: object,
    ) => ({
      effect,
      resources: on,
      permission_groups: [{ id: zone(name).id }],
    });
    for (const [status, ...policies] of [
      [200, policy("allow", "Web3 Hostnames Read", onZone(one))],
      [200, policy("allow", "Web3 Hostnames Write", onEveryZone)],
      [
        200,
        policy("allow", "Web3 Hostnames Read", onEveryZone),
        policy("deny", "Web3 Hostnames Read", onZone(two)),
      ],
      [403, policy("allow", "DNS Read", onEveryZone)],
      [
        403,
        policy("allow", "Web3 Hostnames Read", onZone(one)),
        policy("deny", "Web3 Hostnames Read", onEveryZone),
      ],
    ] as const) {
      const made = await app.app.request("POST", "/user/tokens", { body: { name: "gateway", policies } });
      const authorization = `Bearer ${made.body.result.value as string}`;
      assert.equal(
        (await app.post("mainnet", chainId, { authorization })).status,
        status,
        JSON.stringify(policies),
      );
    }
  });

  test("off loopback a token is asked for unless gateway_auth=none is said", async (t) => {
    const node = await startNode(t);
    const open = { host: "0.0.0.0", insecure_http: true };
    const guarded = await startGateway(t, networks(node.url), open);
    assert.equal((await guarded.post("mainnet", chainId)).status, 401);
    const said = await startGateway(t, networks(node.url), { ...open, gateway_auth: "none" });
    assert.equal((await said.post("mainnet", chainId)).status, 200);
  });

  test("no more often than gateway_rate_limit, each element of a batch for itself", async (t) => {
    const node = await startNode(t);
    const app = await startGateway(t, networks(node.url), { gateway_rate_limit: 3 });
    const { status, batch } = await app.post(
      "mainnet",
      `[${[chainId, chainId, chainId, chainId].join(",")}]`,
    );
    assert.equal(status, 200);
    assert.deepEqual(
      batch.map(({ error }) => error?.code),
      [undefined, undefined, undefined, -32005],
    );
    const refused = await app.post("mainnet", chainId);
    assert.deepEqual([refused.status, refused.body.id, refused.body.error?.code], [429, 7, -32005]);
    const seconds = Number(refused.headers.get("retry-after"));
    assert.equal(seconds, 60);
    app.app.advance(seconds * 1000 - 1);
    assert.equal((await app.post("mainnet", chainId)).status, 429);
    app.app.advance(1);
    assert.equal((await app.post("mainnet", chainId)).status, 200);
  });

  test("no more often than that, however its token is written and whatever other credentials are sent", async (t) => {
    const node = await startNode(t);
    const app = await startGateway(t, networks(node.url), { gateway_auth: "token", gateway_rate_limit: 2 });
    const statuses: number[] = [];
    for (const headers of [
      { authorization: `Bearer ${ownerToken}` },
      { authorization: `bearer   ${ownerToken}`, "x-auth-key": "one" },
      { authorization: `BEARER ${ownerToken}`, "x-auth-key": "another" },
    ]) {
      statuses.push((await app.post("mainnet", chainId, headers)).status);
    }
    assert.deepEqual(statuses, [200, 200, 429]);
  });

  test("no more often than that from all addresses of one IPv6 network", async (t) => {
    const addresses = ["2001:db8::1", "2001:db8::ffff:1", "2001:db8:0:1::1"];
    assert.deepEqual(await statusesBehindProxy(t, addresses), [200, 429, 200]);
  });

  test("a proxy that is trusted says for whom it asks", async (t) => {
    const addresses = ["192.0.2.1", "192.0.2.1", "192.0.2.2", "192.0.2.9, 192.0.2.1", "192.0.2.1:4711"];
    assert.deepEqual(await statusesBehindProxy(t, addresses), [200, 429, 200, 429, 429]);
  });

  test("web pages of the origins in gateway_cors_origins, and no others", async (t) => {
    const node = await startNode(t);
    const app = await startGateway(t, networks(node.url), { gateway_cors_origins: ["https://app.example"] });
    const preflight = (origin: string): Promise<Response> =>
      fetch(`${app.url}mainnet`, {
        method: "OPTIONS",
        headers: {
          origin,
          "access-control-request-method": "POST",
          "access-control-request-headers": "content-type",
        },
      });
    const allowed = await preflight("https://app.example");
    assert.deepEqual(
      [allowed.status, allowed.headers.get("access-control-allow-origin")],
      [204, "https://app.example"],
    );
    assert.equal((await preflight("https://other.example")).headers.get("access-control-allow-origin"), null);
    const called = await app.post("mainnet", chainId, { origin: "https://app.example" });
    assert.equal(called.headers.get("access-control-allow-origin"), "https://app.example");
  });
});
