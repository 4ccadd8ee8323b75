import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { ConfigError, readConfig, renderConfig } from "../../config/config.ts";
import { startGateway } from "../../../test/support/gateway-app.ts";
import { startNode } from "../../../test/support/json-rpc-node.ts";
import { parseNetworks } from "./networks.ts";

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
  });

  test("rinkeby is 410 with the successor in message and headers, and never leads there by itself", async (t) => {
    const app = await startGateway(t, []);
    const { status, headers, body } = await app.post("rinkeby", chainId);
    assert.deepEqual([status, body.id, body.error?.code], [410, 7, -32004]);
    assert.match(body.error?.message ?? "", /2023-01-30; use \/gateway\/v1\/sepolia instead/);
    assert.equal(headers.get("deprecation"), "@1675036800");
    assert.equal(headers.get("sunset"), "Mon, 30 Jan 2023 00:00:00 GMT");
    assert.equal(headers.get("link"), '</gateway/v1/sepolia>; rel="successor-version"');
    const batch = await app.post("rinkeby", `[${chainId}]`);
    assert.deepEqual([batch.status, batch.body.error?.code], [410, -32004]);
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
  const issuesOf = (value: unknown): string => {
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

  for (const [value, issue] of [
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
      [{ name: "x", chain_id: 1, upstreams: ["http://SECRET:100%@a.example"] }],
      /^\[0\]\.upstreams\[0\]\.url: a percent sign in its user name or password must be written as %25$/,
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
      assert.match(issuesOf(value), issue);
      assert.doesNotMatch(issuesOf(value), /SECRET/);
    });
  }

  test("names every error at once", async () => {
    assert.deepEqual(issuesOf([{ name: "!" }, 5]).split("; "), [
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
    assert.equal(issuesOf([network]), "");
  });

  test("is masked when the settings are shown", async () => {
    const networks = '[{"name":"mainnet","upstreams":["https://node.example/v3/SECRET"]}]';
    const { config } = await readConfig([], { ZONEWARD_GATEWAY_NETWORKS: networks });
    assert.equal(config.gateway_networks[0]?.upstreams[0]?.url, "https://node.example/v3/SECRET");
    assert.doesNotMatch(renderConfig(config), /SECRET/);
  });
});
