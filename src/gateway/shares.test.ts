import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { startGateway } from "../../test/support/gateway-app.ts";
import { until } from "../../test/support/harness.ts";
import { startNode } from "../../test/support/json-rpc-node.ts";

const slowAddress = `0x${"b".repeat(40)}`;

/** Calls that all differ. */
const balances = (address: string, count: number): string =>
  JSON.stringify(
    Array.from({ length: count }, (_, id) => ({
      jsonrpc: "2.0",
      id,
      method: "eth_getBalance",
      params: [address, `0x${id.toString(16)}`],
    })),
  );

describe("callers of the gateway", () => {
  test("who fill a node with calls that it does not answer keep none of others waiting", async (t) => {
    const node = await startNode(t);
    const released = Promise.withResolvers<undefined>();
    let slow = 0;
    node.answers = {
      eth_getBalance: ([address]) => {
        if (address !== slowAddress) return { result: '"0x1"' };
        slow += 1;
        return released.promise.then(() => ({ result: '"0x2"' }));
      },
    };
    const app = await startGateway(t, [{ name: "mainnet", upstreams: [node.url], hedge: false }], {
      trusted_proxies: ["127.0.0.0/8"],
    });
    const from = (address: string) => ({ "x-forwarded-for": address });
    const filling = app.post("mainnet", balances(slowAddress, 500), from("192.0.2.1"));
    await until("the caller has had its share", () => slow >= 128);
    const { batch } = await app.post("mainnet", balances(`0x${"a".repeat(40)}`, 20), from("192.0.2.2"));
    assert.deepEqual(new Set(batch.map(({ result }) => result)), new Set(["0x1"]));
    assert.equal(slow, 128, "the others wait");
    released.resolve(undefined);
    const answers = (await filling).batch;
    assert.deepEqual(new Set(answers.map(({ result }) => result)), new Set(["0x2"]));
  });

  test("who fill the cache drop nothing that others asked for", async (t) => {
    const node = await startNode(t, { head: 2_000, finalized: 2_000 });
    node.answers = { eth_getBalance: () => ({ result: JSON.stringify("0x".padEnd(2_000, "1")) }) };
    const app = await startGateway(t, [{ name: "mainnet", upstreams: [node.url], hedge: false }], {
      trusted_proxies: ["127.0.0.0/8"],
      gateway_cache_bytes_max: 1024 * 1024,
    });
    const ask = (address: string, count: number, client: string) =>
      app.post("mainnet", balances(address, count), { "x-forwarded-for": client });
    const own = `0x${"a".repeat(40)}`;
    await ask(own, 10, "192.0.2.2");
    await until(
      "they are kept",
      async () => (await ask(own, 10, "192.0.2.2")).headers.get("x-cache") === "HIT",
    );
    await ask(slowAddress, 1_000, "192.0.2.1");
    const asked = node.calls.length;
    await ask(own, 10, "192.0.2.2");
    assert.equal(node.calls.length, asked, "all are in the cache");
  });
});
