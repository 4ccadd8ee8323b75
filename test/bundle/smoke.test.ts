import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { bundledCopy, keepsRecords } from "../support/bundled-copy.ts";
import { postTo } from "../support/gateway-app.ts";
import { newStore, runCommand, spawnServer } from "../support/spawned-server.ts";

const { program, page } = bundledCopy();

describe("a bundled server", () => {
  test("stores a zone and its records, and has them after a restart", (t) =>
    keepsRecords(t, "sqlite", program));

  test("serves the dashboard, the reference and what both need", async (t) => {
    const { baseUrl } = await spawnServer(t, ["--ephemeral"], { program });
    const dashboard = await fetch(new URL("/", baseUrl));
    assert.equal(await dashboard.text(), page);
    for (const path of ["/openapi.json", "/docs", "/docs/swagger-ui.css", "/metrics"]) {
      const answer = await fetch(new URL(path, baseUrl));
      assert.equal(answer.status, 200, path);
    }
  });

  test("answers calls of the gateway from its development chain", async (t) => {
    const { baseUrl } = await spawnServer(t, ["--ephemeral"], { program });
    const call = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_chainId", params: [] });
    const { body } = await postTo(new URL("/gateway/v1/sepolia", baseUrl).href, call);
    assert.equal(body.result, "0xaa36a7");
    const block = JSON.stringify({ jsonrpc: "2.0", id: 2, method: "eth_blockNumber", params: [] });
    assert.match((await postTo(new URL("/gateway/v1/sepolia", baseUrl).href, block)).body.result, /^0x/);
  });

  test("speaks HTTPS with a certificate of its own CA", async (t) => {
    const { baseUrl } = await spawnServer(t, ["--ephemeral", "--tls=self-signed"], { program });
    assert.match(baseUrl, /^https:/);
  });

  test("says what a seed has wrong, by its place in the file", async (t) => {
    const store = await newStore(t, "sqlite");
    const { code, stderr } = await runCommand(["serve", ...store.flags, "--seed=package.json"], { program });
    assert.equal(code, 1);
    assert.match(stderr, /unknown key `scripts`/);
  });
});

describe("a bundled command line", () => {
  test("tells its version", async () => {
    const { code, stdout } = await runCommand(["--version"], { program });
    assert.equal(code, 0);
    assert.match(stdout, /^\d+\.\d+\.\d+\n$/);
  });

  test("checks filter expressions, with the regular expressions of WebAssembly", async () => {
    const check = ["expression", "check"];
    const right = await runCommand([...check, 'http.host matches "^a+$"'], { program });
    assert.equal(right.code, 0, right.stderr);
    const wrong = await runCommand([...check, 'http.host matches "("'], { program });
    assert.notEqual(wrong.code, 0);
    assert.match(wrong.stdout + wrong.stderr, /regular expression|unclosed|parse error/i);
  });
});
