import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { startAnvil } from "../../test/support/anvil.ts";
import { startNode } from "../../test/support/json-rpc-node.ts";
import { runCommand } from "../../test/support/spawned-server.ts";

describe("zoneward gateway check", () => {
  test("says of a real node which chain it serves and what it lacks of the policy", async (t) => {
    const { url } = await startAnvil(t, 11_155_111);
    const { code, stdout, stderr } = await runCommand(["gateway", "check", url, "--chain-id=11155111"]);
    assert.deepEqual([code, stderr], [0, ""]);
    assert.match(stdout, /^Chain id +11155111 \(sepolia\)$/m);
    assert.match(stdout, /^Client +anvil\//m);
    assert.match(stdout, /^Newest block +0, \d+ s old$/m);
    assert.match(stdout, /^Methods +\d+ of 38 that the gateway offers$/m);
    assert.doesNotMatch(stdout, /missing +eth_(?:call|getLogs|getBalance|sendRawTransaction)/);
  });

  test("names the methods that a node lacks and the ranges that are narrower than the gateway's", async (t) => {
    const { url, headers } = await startNode(t, {
      answers: { eth_getLogs: () => ({ error: '{"code":-32005,"message":"at most 10 blocks"}' }) },
    });
    const { code, stdout } = await runCommand(["gateway", "check", url, "--header=x-api-key: a key"]);
    assert.equal(code, 0);
    assert.match(stdout, /^ {2}missing +trace_filter$/m);
    assert.match(stdout, /^ {2}narrower +eth_getLogs: at most 10 blocks$/m);
    assert.ok(headers.every((one) => one["x-api-key"] === "a key"));
  });

  test("ends with 1 where a node cannot be used, without its URL", async (t) => {
    const node = await startNode(t, { chainId: 5 });
    const wrong = await runCommand(["gateway", "check", node.url, "--chain-id=1"]);
    assert.deepEqual(
      [wrong.code, wrong.stderr],
      [1, "zoneward: the node cannot be used: its chain id is 5, not 1\n"],
    );
    const dead = await runCommand(["gateway", "check", "http://127.0.0.1:1/SECRET"]);
    assert.deepEqual([dead.code, dead.stdout], [1, ""]);
    assert.match(dead.stderr, /ECONNREFUSED/);
    assert.doesNotMatch(dead.stderr, /SECRET/);
    const page = await startNode(t, { fault: "html" });
    assert.equal((await runCommand(["gateway", "check", page.url])).code, 1);
  });

  test("ends with 2 and says what it expects where it is not understood", async () => {
    for (const args of [[], ["node.example"], ["http://node.example", "--chain=1"]]) {
      const { code, stderr } = await runCommand(["gateway", "check", ...args]);
      assert.deepEqual(
        [code, stderr.startsWith("zoneward: expected `gateway check URL`")],
        [2, true],
        args.join(" "),
      );
    }
  });
});
