import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { until } from "../../../test/support/harness.ts";
import { patient, postTo, startGateway, startPreferring } from "../../../test/support/gateway-app.ts";
import { hashOf, startNode, type Fault } from "../../../test/support/json-rpc-node.ts";
import { runCommand, spawnServer } from "../../../test/support/spawned-server.ts";

describe("one upstream that fails costs no client an answer", { concurrency: 4 }, () => {
  const faults: readonly Fault[] = [
    "hang",
    "reset",
    "status 500",
    "status 429",
    "status 401",
    "html",
    "truncated",
    "wrong id",
    "half a response",
    "no result",
  ];
  for (const fault of faults) {
    test(`${fault}: the other one answers within the same request`, async (t) => {
      const [bad, good] = [await startNode(t, { fault }), await startNode(t)];
      const app = await startPreferring(t, [bad, good], { attempt_ms: 2_000 });
      for (let call = 0; call < 10; call += 1) {
        const { status, body } = await app.call("mainnet", "eth_gasPrice");
        assert.deepEqual([status, body.result], [200, "0x3b9aca00"]);
      }
      assert.ok(bad.requests > 0);
    });
  }

  test("connection refused: the other one answers, and the first is left alone until it is back", async (t) => {
    const [bad, good] = [await startNode(t), await startNode(t)];
    await bad.stop();
    const app = await startPreferring(t, [bad, good]);
    for (let call = 0; call < 20; call += 1) {
      assert.equal((await app.call("mainnet", "eth_gasPrice")).body.result, "0x3b9aca00");
    }
    await until("the breaker is open", async () =>
      /upstream_usable\{network="mainnet",upstream="upstream-1"\} 0/.test(await app.metrics()),
    );
    await bad.start();
    await until("it is asked again", async () => {
      await app.call("mainnet", "eth_gasPrice");
      return bad.calls.length > 0;
    });
  });

  test("an error of its own making (-32603, -32005, a missing state) is not handed on while another can answer", async (t) => {
    for (const error of [
      '{"code":-32603,"message":"Internal error"}',
      '{"code":-32005,"message":"daily request count exceeded"}',
      '{"code":-32000,"message":"missing trie node 00 (path )"}',
      '{"code":-32000,"message":"header not found"}',
      '{"code":-32601,"message":"the method is not available"}',
    ]) {
      const bad = await startNode(t, { answers: { eth_getBalance: () => ({ error }) } });
      const app = await startPreferring(t, [bad, await startNode(t)]);
      assert.equal(
        (await app.call("mainnet", "eth_getBalance", "0x00", "latest")).body.result,
        "0xde0b6b3a7640000",
      );
      const alone = await startPreferring(t, [bad]);
      const { status, body } = await alone.call("mainnet", "eth_getBalance", "0x00", "latest");
      assert.deepEqual([status, JSON.stringify(body.error)], [200, error]);
    }
  });

  test("a revert is an answer: handed on with its data, byte for byte, and asked once", async (t) => {
    const error = '{"code":3, "message":"execution reverted: \\u006eo","data":"0x08c379a0"}';
    const reverting = { eth_call: () => ({ error }) };
    const nodes = [await startNode(t, { answers: reverting }), await startNode(t, { answers: reverting })];
    const app = await startPreferring(t, nodes, patient);
    const { status, text } = await app.call("mainnet", "eth_call", {}, "latest");
    assert.deepEqual([status, text], [200, `{"jsonrpc":"2.0","id":1,"error":${error}}`]);
    assert.equal(nodes.flatMap(({ calls }) => calls).length, 1);
  });

  test("a result is handed on byte for byte", async (t) => {
    const result = '{ "b":1.0, "a":12345678901234567890, "c":"\\u003c\\/", "d":[ ] }';
    const node = await startNode(t, { answers: { eth_getProof: () => ({ result }) } });
    const app = await startPreferring(t, [node]);
    const { text } = await app.call("mainnet", "eth_getProof", "0x00", [], "latest");
    assert.equal(text, `{"jsonrpc":"2.0","id":1,"result":${result}}`);
  });

  test("an answer over gateway_response_bytes_max is an error that does not count as a failure of the node", async (t) => {
    const node = await startNode(t, { answers: { eth_call: () => ({ result: `"0x${"0".repeat(4000)}"` }) } });
    const app = await startGateway(t, [{ name: "mainnet", upstreams: [node.url] }], {
      gateway_response_bytes_max: 2048,
    });
    for (let call = 0; call < 8; call += 1) {
      const { status, body } = await app.call("mainnet", "eth_call", {}, "latest");
      assert.deepEqual([status, body.error?.code], [200, -32602]);
    }
    assert.equal((await app.call("mainnet", "eth_gasPrice")).body.result, "0x3b9aca00");
  });

  test("all down: an error within the deadline, and answers again by itself", async (t) => {
    const nodes = [await startNode(t), await startNode(t)];
    const app = await startPreferring(t, nodes, { deadline_ms: 700 });
    await Promise.all(nodes.map((node) => node.stop()));
    const began = performance.now();
    const { status, body } = await app.call("mainnet", "eth_gasPrice");
    assert.deepEqual([status, body.error?.code], [503, -32002]);
    assert.ok(performance.now() - began < 30_000);
    const { status: batchStatus, batch } = await app.post(
      "mainnet",
      '[{"jsonrpc":"2.0","id":1,"method":"eth_gasPrice"},{"jsonrpc":"2.0","id":2,"method":"eth_accounts"}]',
    );
    assert.deepEqual([batchStatus, batch.map(({ error }) => error?.code)], [200, [-32002, -32601]]);
    for (const node of nodes) await node.start();
    await until("it answers again", async () => (await app.call("mainnet", "eth_gasPrice")).status === 200);
  });

  test("a node that hangs is left for another once it is late", async (t) => {
    const [slow, fast] = [await startNode(t, { fault: "hang" }), await startNode(t)];
    const app = await startPreferring(t, [slow, fast]);
    const began = performance.now();
    assert.equal((await app.call("mainnet", "eth_gasPrice")).body.result, "0x3b9aca00");
    assert.ok(performance.now() - began < 30_000);
  });

  test("a node that is late is waited for where hedge is false", async (t) => {
    const [slow, fast] = [await startNode(t, { delayMs: 1_000 }), await startNode(t)];
    const app = await startPreferring(t, [slow, fast], patient);
    assert.equal((await app.call("mainnet", "eth_gasPrice")).body.result, "0x3b9aca00");
    // One time in a thousand it is the other one that is asked.
    assert.equal(slow.calls.length + fast.calls.length, 1);
  });

  test("the end of the server waits for calls under way", async (t) => {
    const node = await startNode(t, { delayMs: 500 });
    const app = await startPreferring(t, [node]);
    const call = app.call("mainnet", "eth_gasPrice");
    await until("it is under way", () => node.calls.length > 0);
    await app.app.close();
    assert.equal((await call).body.result, "0x3b9aca00");
    await app.app.restart();
  });

  test("one of another chain is never asked", async (t) => {
    const [wrong, right] = [await startNode(t, { chainId: 5 }), await startNode(t)];
    const app = await startPreferring(t, [wrong, right], patient);
    for (let call = 0; call < 5; call += 1) await app.call("mainnet", "eth_gasPrice");
    assert.deepEqual(wrong.calls, []);
    assert.equal(right.calls.length, 5);
    const alone = await startPreferring(t, [wrong], { deadline_ms: 300 });
    assert.equal((await alone.call("mainnet", "eth_chainId")).status, 503);
    assert.deepEqual(wrong.calls, []);
  });

  test("gets the headers and the user of its settings, and nothing of the client's", async (t) => {
    const node = await startNode(t);
    const url = node.url.replace("://", "://us%20er:pass@");
    const upstreams = [{ url, headers: { "x-api-key": "SECRET" } }];
    const app = await startGateway(t, [{ name: "mainnet", upstreams }]);
    await app.post("mainnet", '{"jsonrpc":"2.0","id":1,"method":"eth_gasPrice"}', {
      cookie: "a=b",
      "x-mine": "c",
    });
    const { authorization, cookie, ...headers } = node.headers.at(-1) ?? {};
    assert.equal(authorization, `Basic ${Buffer.from("us er:pass").toString("base64")}`);
    assert.deepEqual([headers["x-api-key"], cookie, headers["x-mine"]], ["SECRET", undefined, undefined]);
    assert.doesNotMatch(await app.metrics(), /SECRET|pass|127\.0\.0\.1/);
  });
});

test("no log, metric, answer or printed setting holds the secrets of an upstream", async (t) => {
  const [node, broken] = [await startNode(t), await startNode(t, { fault: "html" })];
  const secret = (url: string): string => `${url.replace("://", "://user:PLANTED@")}v3/PLANTED?key=PLANTED`;
  const upstreams = [node.url, broken.url, "http://127.0.0.1:1/"].map((url) => ({
    url: secret(url),
    headers: { authorization: "Bearer PLANTED" },
  }));
  const networks = JSON.stringify([
    { name: "mainnet", upstreams },
    { name: "lost", chain_id: 5, upstreams },
  ]);
  const flags = ["--ephemeral", "--log-level=debug"];
  const env = { ZONEWARD_GATEWAY_NETWORKS: networks };
  const server = await spawnServer(t, flags, { env });
  const { origin } = new URL(server.baseUrl);
  const texts: string[] = [];
  for (const network of ["mainnet", "lost"]) {
    const calls = ["eth_gasPrice", "eth_nothing"].map((method, id) => ({ jsonrpc: "2.0", id, method }));
    const { text, status } = await postTo(`${origin}/gateway/v1/${network}`, JSON.stringify(calls));
    assert.equal(status, 200);
    texts.push(text);
  }
  texts.push(await (await fetch(`${origin}/metrics`)).text());
  await server.end("SIGTERM");
  texts.push(server.stdout(), server.stderr());
  texts.push((await runCommand(["serve", "--print-config", ...flags], { env })).stdout);
  assert.ok(texts.every((text) => text.length > 0));
  assert.doesNotMatch(texts.join(), /PLANTED/);
  assert.match(server.stderr(), /serves another chain/);
});

describe("transactions", () => {
  const raw = "0x02f86b";

  test("go to every upstream, and the first that takes one answers", async (t) => {
    const nodes = [await startNode(t), await startNode(t), await startNode(t, { fault: "status 500" })];
    const app = await startPreferring(t, nodes);
    const { body } = await app.call("mainnet", "eth_sendRawTransaction", raw);
    assert.equal(body.result, hashOf(raw));
    await until("both have it", () =>
      nodes.slice(0, 2).every(({ calls }) => calls.some(({ method }) => method === "eth_sendRawTransaction")),
    );
  });

  test("that a node already has are accepted: the answer is their hash", async (t) => {
    for (const message of [
      "already known",
      "AlreadyKnown: already known",
      "known transaction: 00",
      "Transaction already imported",
    ]) {
      const error = JSON.stringify({ code: -32000, message });
      const node = await startNode(t, { answers: { eth_sendRawTransaction: () => ({ error }) } });
      const app = await startPreferring(t, [node]);
      const { body } = await app.call("mainnet", "eth_sendRawTransaction", raw);
      assert.equal(body.result, hashOf(raw), message);
    }
  });

  test("that are refused are refused with the node's words, and not sent again", async (t) => {
    const error = '{"code":-32000,"message":"nonce too low: next nonce 5, tx nonce 4"}';
    const node = await startNode(t, { answers: { eth_sendRawTransaction: () => ({ error }) } });
    const app = await startPreferring(t, [node, await startNode(t, { fault: "reset" })], patient);
    const { status, body } = await app.call("mainnet", "eth_sendRawTransaction", raw);
    assert.deepEqual([status, JSON.stringify(body.error)], [200, error]);
    assert.equal(node.calls.length, 1);
  });

  test("are never answered out of the cache", async (t) => {
    const node = await startNode(t);
    const app = await startPreferring(t, [node], patient);
    for (let call = 0; call < 3; call += 1) {
      const { headers } = await app.call("mainnet", "eth_sendRawTransaction", raw);
      assert.equal(headers.get("x-cache"), "BYPASS");
    }
    assert.equal(node.calls.length, 3);
  });
});
