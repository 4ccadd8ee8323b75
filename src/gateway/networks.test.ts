import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { ConfigError, readConfig, renderConfig } from "../config.ts";
import { byKey, byToken, ownerToken } from "../../test/harness.ts";
import { startGateway } from "../../test/gateway-app.ts";
import { startNode } from "../../test/json-rpc-node.ts";
import { zone } from "../core/policy/permission-groups.ts";
import { parseNetworks } from "./network-settings.ts";

const chainId = '{"jsonrpc":"2.0","method":"eth_chainId","id":7}';

describe("networks", () => {
  test("an unknown one is 404 with a JSON-RPC error that lists those there are", async (t) => {
    const app = await startGateway(t, [{ name: "holesky", chain_id: 17_000 }]);
    for (const name of ["goerli", "", "Mainnet", "mainnet/x", "..", "%6dainnet", "__proto__"]) {
      const { status, body } = await app.post(name, chainId);
      assert.deepEqual([status, body.id, body.error?.code], [404, 7, -32001], name);
      assert.match(body.error?.message ?? "", /holesky, mainnet, rinkeby, sepolia/);
      assert.deepEqual(body.error?.data, { networks: ["holesky", "mainnet", "rinkeby", "sepolia"] });
    }
    const { status, batch } = await app.post("goerli", `[${chainId},${chainId.replace("7", '"x"')}]`);
    assert.deepEqual(
      [status, batch.map(({ id, error }) => [id, error?.code])],
      [
        404,
        [
          [7, -32001],
          ["x", -32001],
        ],
      ],
    );
  });

  test("rinkeby is 410 with the successor in message and headers, and never leads there by itself", async (t) => {
    const app = await startGateway(t, []);
    const { status, headers, body } = await app.post("rinkeby", chainId);
    assert.deepEqual([status, body.id, body.error?.code], [410, 7, -32004]);
    assert.match(body.error?.message ?? "", /2023-01-30; use \/gateway\/v1\/sepolia instead/);
    assert.equal(headers.get("deprecation"), "@1675036800");
    assert.equal(headers.get("sunset"), "Mon, 30 Jan 2023 00:00:00 GMT");
    assert.equal(headers.get("link"), '</gateway/v1/sepolia>; rel="successor-version"');
    const { status: batchStatus, batch } = await app.post("rinkeby", `[${chainId}]`);
    assert.deepEqual([batchStatus, batch[0]?.error?.code], [410, -32004]);
  });

  test("one whose end is set says so until that day, and is 410 from then on", async (t) => {
    const node = await startNode(t, { chainId: 17_000 });
    const app = await startGateway(t, [
      {
        name: "holesky",
        chain_id: 17_000,
        upstreams: [node.url],
        deprecated_on: "2026-01-04",
        successor: "sepolia",
      },
    ]);
    const before = await app.post("holesky", chainId);
    assert.deepEqual([before.status, before.body.result], [200, "0x4268"]);
    assert.equal(before.headers.get("sunset"), "Sun, 04 Jan 2026 00:00:00 GMT");
    app.app.advance(2 * 24 * 60 * 60 * 1000);
    assert.equal((await app.post("holesky", chainId)).status, 410);
  });

  test("mainnet without upstreams is 503 that names the setting", async (t) => {
    const app = await startGateway(t, []);
    const { status, body } = await app.post("mainnet", chainId);
    assert.deepEqual([status, body.id, body.error?.code], [503, 7, -32002]);
    assert.match(body.error?.message ?? "", /gateway_networks/);
    const { status: batchStatus, batch } = await app.post("mainnet", `[${chainId},${chainId}]`);
    assert.deepEqual([batchStatus, batch.map(({ error }) => error?.code)], [200, [-32002, -32002]]);
  });
});

describe("the setting gateway_networks", () => {
  const mistakesOf = (value: unknown): string => {
    const parsed = parseNetworks(typeof value === "string" ? value : JSON.stringify(value));
    return parsed instanceof Error ? parsed.message : "";
  };

  test("is read with every part, and fills in the rest", async () => {
    const parsed = parseNetworks([
      {
        name: "mainnet",
        upstreams: [
          "https://one.example/key",
          {
            name: "two",
            url: "http://user:pass@two.example:8545",
            weight: 3,
            headers: { authorization: "Bearer x" },
          },
        ],
        methods: { allow: ["debug_traceCall"], refuse: ["eth_getLogs"] },
        limits: { log_blocks_max: 100 },
        deadline_ms: 1000,
      },
    ]);
    assert.ok(!(parsed instanceof Error));
    const [mainnet] = parsed;
    assert.equal(mainnet?.chainId, 1);
    assert.deepEqual(
      mainnet?.upstreams.map(({ name, weight }) => [name, weight]),
      [
        ["upstream-1", 1],
        ["two", 3],
      ],
    );
    assert.deepEqual(mainnet?.limits, {
      logBlocksMax: 100,
      feeHistoryBlocksMax: 10,
      traceBlocksMax: 800,
      traceCountMax: 200,
    });
    assert.deepEqual([mainnet?.deadlineMs, mainnet?.attemptMs], [1000, 4000]);
  });

  for (const [value, mistake] of [
    ["{", /^must be a JSON array of networks$/],
    [{}, /^must be an array of networks$/],
    [[1], /^\[0\]: must be an object/],
    [[{ name: "x" }], /^\[0\]\.chain_id: is missing$/],
    [[{ name: "X Y", chain_id: 1 }], /^\[0\]\.name: must be lower-case/],
    [[{ name: "x", chain_id: "1" }], /^\[0\]\.chain_id: must be an integer/],
    [[{ name: "x", chain_id: 1, upstream: [] }], /^\[0\]: has an unknown member/],
    [
      [
        { name: "x", chain_id: 1 },
        { name: "x", chain_id: 1 },
      ],
      /^the network x is there twice$/,
    ],
    [
      [
        {
          name: "x",
          chain_id: 1,
          upstreams: [{ name: "upstream-2", url: "http://a.example" }, "http://b.example"],
        },
      ],
      /^\[0\]\.upstreams: two have the same name$/,
    ],
    [[{ name: "x", chain_id: 1, successor: "y" }], /^\[0\]\.successor: no such network$/],
    [[{ name: "x", chain_id: 1, hedge: "no" }], /^\[0\]\.hedge: must be true or false$/],
    [[{ name: "x", chain_id: 1, deprecated_on: "2026-02-30x" }], /^\[0\]\.deprecated_on: must be a date/],
    [[{ name: "x", chain_id: 1, deprecated_on: "2026-02-30" }], /^\[0\]\.deprecated_on: must be a date/],
    [
      [{ name: "x", chain_id: 1, upstreams: ["ftp://SECRET"] }],
      /^\[0\]\.upstreams\[0\]\.url: must be a URL of http or https$/,
    ],
    [
      [{ name: "x", chain_id: 1, upstreams: [{ url: "http://a.example", headers: { a: "SECRET\n" } }] }],
      /headers: must be a map/,
    ],
    ...[
      "http://169.254.169.254/SECRET",
      "http://[fe80::1]/",
      "http://[::ffff:169.254.169.254]/",
      "http://2852039166/",
      "http://metadata.google.internal/",
      "http://100.100.100.200/",
      "http://[fd00:ec2::254]/",
    ].map(
      (url) => [[{ name: "x", chain_id: 1, upstreams: [url] }], /link-local or metadata address/] as const,
    ),
  ] as const) {
    test(`refuses ${JSON.stringify(value)}, without quoting a value`, () => {
      assert.match(mistakesOf(value), mistake);
      assert.doesNotMatch(mistakesOf(value), /SECRET/);
    });
  }

  test("names every mistake at once", async () => {
    assert.deepEqual(mistakesOf([{ name: "!" }, 5]).split("; "), [
      "[0].name: must be lower-case letters, digits and hyphens",
      "[0].chain_id: is missing",
      "[1]: must be an object",
    ]);
    await assert.rejects(readConfig(["--gateway-networks=[1]"], {}), (error) => {
      assert.ok(error instanceof ConfigError);
      assert.match(error.message, /^--gateway-networks: \[0\]: must be an object/);
      return true;
    });
  });

  test("permits link-local addresses where that was said", () => {
    const network = { name: "x", chain_id: 1, upstreams: ["http://169.254.0.1/"], allow_link_local: true };
    assert.equal(mistakesOf([network]), "");
  });

  test("is masked when the settings are shown", async () => {
    const networks = '[{"name":"mainnet","upstreams":["https://node.example/v3/SECRET"]}]';
    const { config } = await readConfig([], { ZONEWARD_GATEWAY_NETWORKS: networks });
    assert.equal(config.gateway_networks[0]?.upstreams[0]?.url, "https://node.example/v3/SECRET");
    assert.doesNotMatch(renderConfig(config), /SECRET/);
  });
});

describe("who may call", () => {
  const networks = (url: string): object[] => [{ name: "mainnet", upstreams: [url] }];

  test("anybody on loopback", async (t) => {
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
      assert.deepEqual([refused.status, refused.body.id, refused.body.error?.code], [status, 7, -32000]);
      assert.equal(refused.headers.get("www-authenticate"), status === 401 ? "Bearer" : null);
      const batch = await app.post("no-network", `[${chainId}]`, headers);
      assert.deepEqual([batch.status, batch.batch[0]?.id], [status, 7]);
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
    assert.ok(Number(refused.headers.get("retry-after")) > 0);
  });

  test("no more often than that, however its token is written and whatever is shown beside it", async (t) => {
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
    const node = await startNode(t);
    const app = await startGateway(t, networks(node.url), {
      gateway_rate_limit: 1,
      trusted_proxies: ["127.0.0.0/8"],
    });
    const from = (forwarded: string): Promise<number> =>
      app.post("mainnet", chainId, { "x-forwarded-for": forwarded }).then(({ status }) => status);
    assert.deepEqual(
      [await from("2001:db8::1"), await from("2001:db8::ffff:1"), await from("2001:db8:0:1::1")],
      [200, 429, 200],
    );
  });

  test("a proxy that is trusted says for whom it asks", async (t) => {
    const node = await startNode(t);
    const app = await startGateway(t, networks(node.url), {
      gateway_rate_limit: 1,
      trusted_proxies: ["127.0.0.0/8"],
    });
    const from = (forwarded: string): Promise<number> =>
      app.post("mainnet", chainId, { "x-forwarded-for": forwarded }).then(({ status }) => status);
    assert.deepEqual(
      [await from("192.0.2.1"), await from("192.0.2.1"), await from("192.0.2.2")],
      [200, 429, 200],
    );
    assert.equal(await from("192.0.2.9, 192.0.2.1"), 429);
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
