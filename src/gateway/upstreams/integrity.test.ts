import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { patient, startGateway, startPreferring } from "../../../test/support/gateway-app.ts";
import { until } from "../../../test/support/harness.ts";
import { hex, startNode } from "../../../test/support/json-rpc-node.ts";

describe("integrity", () => {
  test("block numbers never go back, whichever upstream answers", async (t) => {
    const [ahead, behind] = [await startNode(t, { head: 1_002 }), await startNode(t, { head: 1_001 })];
    const app = await startGateway(t, [{ name: "mainnet", poll_ms: 50, upstreams: [ahead.url, behind.url] }]);
    const seen: number[] = [];
    for (let call = 0; call < 40; call += 1) {
      const { body } = await app.call("mainnet", "eth_blockNumber");
      seen.push(Number(body.result));
      const latest = await app.call("mainnet", "eth_getBlockByNumber", "latest", true);
      seen.push(Number(latest.body.result.number));
    }
    assert.deepEqual(
      seen,
      seen.toSorted((one, other) => one - other),
    );
    await ahead.stop();
    assert.equal((await app.call("mainnet", "eth_blockNumber")).body.result, hex(1_002));
    behind.head = 1_003;
    assert.equal((await app.call("mainnet", "eth_blockNumber")).body.result, hex(1_003));
  });

  test("a block that one upstream lacks comes from another that has it", async (t) => {
    const [ahead, behind] = [await startNode(t, { head: 1_002 }), await startNode(t, { head: 1_000 })];
    const app = await startPreferring(t, [behind, ahead]);
    await until("the heads are known", async () => {
      const { body } = await app.call("mainnet", "eth_getBlockByNumber", hex(1_002), true);
      return body.result?.number === hex(1_002);
    });
    for (let call = 0; call < 10; call += 1) {
      const { body } = await app.call("mainnet", "eth_getBlockByNumber", hex(1_002), true);
      assert.equal(body.result.number, hex(1_002));
    }
    assert.equal((await app.call("mainnet", "eth_getBlockByNumber", hex(1_003), true)).body.result, null);
  });

  test("an empty answer about logs from an upstream that is behind is not taken as final", async (t) => {
    const logs = { eth_getLogs: () => ({ result: '[{"logIndex":"0x0"}]' }) };
    const [ahead, behind] = [
      await startNode(t, { head: 1_002, answers: logs }),
      await startNode(t, { head: 1_000 }),
    ];
    const app = await startPreferring(t, [behind, ahead]);
    const ask = (): Promise<unknown> =>
      app
        .call("mainnet", "eth_getLogs", { fromBlock: hex(1_001), toBlock: hex(1_002) })
        .then(({ body }) => body.result);
    await until("the heads are known", async () => ((await ask()) as unknown[]).length === 1);
    for (let call = 0; call < 10; call += 1) assert.deepEqual(await ask(), [{ logIndex: "0x0" }]);
  });

  test("one that lags is asked last", async (t) => {
    const [current, lagging] = [await startNode(t, { head: 1_000 }), await startNode(t, { head: 900 })];
    const app = await startPreferring(t, [lagging, current], patient);
    await app.call("mainnet", "eth_gasPrice");
    await until("the lag is known", async () =>
      /upstream_usable\{network="mainnet",upstream="upstream-1"\} 0/.test(await app.metrics()),
    );
    const before = lagging.calls.length;
    for (let call = 0; call < 10; call += 1) await app.call("mainnet", "eth_gasPrice");
    assert.equal(lagging.calls.length, before);
  });

  test("agreement asks until enough upstreams say the same, and refuses where they do not", async (t) => {
    const balance = (result: string) => ({ eth_getBalance: () => ({ result: JSON.stringify(result) }) });
    const [one, two, liar] = [
      await startNode(t, { answers: balance("0x1") }),
      await startNode(t, { answers: balance("0x1") }),
      await startNode(t, { answers: balance("0x2") }),
    ];
    const network = { agreement: 2 };
    const agreeing = await startPreferring(t, [liar, one, two], network);
    assert.equal((await agreeing.call("mainnet", "eth_getBalance", "0x00", "0x1")).body.result, "0x1");
    const disputed = await startPreferring(t, [liar, one], network);
    const { status, body } = await disputed.call("mainnet", "eth_getBalance", "0x00", "0x1");
    assert.deepEqual([status, body.error?.code], [503, -32002]);
  });
});
