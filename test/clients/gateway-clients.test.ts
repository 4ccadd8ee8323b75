import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";

import {
  ContractFactory,
  Interface,
  isError,
  JsonRpcProvider,
  parseEther as parseEthers,
  Wallet,
  WebSocketProvider,
} from "ethers";
import {
  createWalletClient,
  http,
  MethodNotFoundRpcError,
  parseEther,
  publicActions,
  webSocket,
  type HttpTransportConfig,
} from "viem";
import { mnemonicToAccount } from "viem/accounts";
import { sepolia } from "viem/chains";

import { startAnvil, type Anvil } from "../support/anvil.ts";
import { counterAbi, counterCode } from "../support/counter-contract.ts";
import { startGateway, type GatewayApp } from "../support/gateway-app.ts";
import { until } from "../support/harness.ts";

const phrase = "test test test test test test test test test test test junk";
const account = mnemonicToAccount(phrase);
const recipient = "0x000000000000000000000000000000000000dEaD";
const chainId = 11_155_111;

function viemOf(gateway: GatewayApp, transport: HttpTransportConfig = {}, network = "sepolia") {
  const url = gateway.url + network;
  return createWalletClient({
    account,
    chain: sepolia,
    transport: http(url, transport),
    pollingInterval: 50,
  }).extend(publicActions);
}

function ethersOf(t: TestContext, gateway: GatewayApp): { provider: JsonRpcProvider; wallet: Wallet } {
  // The client would answer a nonce from a quarter of a second ago by itself.
  const options = { pollingInterval: 50, cacheTimeout: -1 };
  const provider = new JsonRpcProvider(`${gateway.url}sepolia`, undefined, options);
  t.after(() => provider.destroy());
  return { provider, wallet: new Wallet(accountKey(), provider) };
}

function accountKey(): string {
  const { privateKey } = account.getHdKey();
  return `0x${Buffer.from(privateKey ?? []).toString("hex")}`;
}

const chains: readonly (readonly [name: string, start: (t: TestContext) => Promise<GatewayApp>])[] = [
  ["the development chain", (t) => startGateway(t, [])],
  ["anvil", async (t) => gatewayTo(t, [await startAnvil(t, chainId)])],
];

function gatewayTo(t: TestContext, nodes: readonly Anvil[], network: object = {}): Promise<GatewayApp> {
  const upstreams = nodes.map(({ url }) => url);
  return startGateway(t, [{ name: "sepolia", upstreams, poll_ms: 100, head_age_seconds_max: 0, ...network }]);
}

for (const [chain, start] of chains) {
  describe(`clients of a gateway to ${chain}`, { concurrency: 2 }, () => {
    for (const [mode, transport] of [
      ["by single calls", {}],
      ["by batches", { batch: true }],
    ] as const) {
      test(`viem, ${mode}: transfers, deploys, calls, reads logs, fees and receipts`, async (t) => {
        const client = viemOf(await start(t), transport);
        const [id, before, fees] = await Promise.all([
          client.getChainId(),
          client.getBlockNumber(),
          client.estimateFeesPerGas(),
        ]);
        assert.equal(id, chainId);
        assert.ok(fees.maxFeePerGas > 0n);
        const transfer = await client.sendTransaction({ to: recipient, value: parseEther("1") });
        assert.equal((await client.waitForTransactionReceipt({ hash: transfer })).status, "success");
        assert.equal(await client.getBalance({ address: recipient }), parseEther("1"));

        const deployment = await client.deployContract({ abi: counterAbi, bytecode: counterCode });
        const { contractAddress: address } = await client.waitForTransactionReceipt({ hash: deployment });
        assert.ok(address);
        const { request, result } = await client.simulateContract({
          address,
          abi: counterAbi,
          functionName: "next",
        });
        assert.equal(result, 1n);
        const hash = await client.writeContract(request);
        const receipt = await client.waitForTransactionReceipt({ hash });
        const logs = await client.getContractEvents({ address, abi: counterAbi, fromBlock: before });
        assert.deepEqual(
          logs.map(({ args, transactionHash }) => [args.count, transactionHash]),
          [[1n, hash]],
        );
        assert.equal(receipt.logs.length, 1);
        assert.equal(await client.getTransactionCount({ address: account.address }), 3);
      });
    }

    test("ethers, which sends batches of its own accord: transfers, deploys, calls, reads logs, fees and receipts", async (t) => {
      const { provider, wallet } = ethersOf(t, await start(t));
      assert.equal((await provider.getNetwork()).chainId, BigInt(chainId));
      const fees = await provider.getFeeData();
      assert.ok(fees.gasPrice !== null && fees.maxPriorityFeePerGas !== null);
      const before = await provider.getBlockNumber();
      const transfer = await wallet.sendTransaction({ to: recipient, value: parseEthers("1") });
      assert.equal((await transfer.wait())?.status, 1);
      assert.equal(await provider.getBalance(recipient), parseEthers("1"));

      const abi = new Interface(["function next() returns (uint256)", "event Counted(uint256 count)"]);
      const contract = await new ContractFactory(abi, counterCode, wallet).deploy();
      await contract.waitForDeployment();
      assert.equal(await contract.getFunction("next").staticCall(), 1n);
      const counted = await contract.getFunction("next").send();
      const receipt = await counted.wait();
      assert.equal(receipt?.logs.length, 1);
      const logs = await contract.queryFilter("Counted", before);
      assert.deepEqual(
        logs.map(({ transactionHash }) => transactionHash),
        [counted.hash],
      );
    });

    test("a refused method fails for viem and ethers as what it is, and no call beside it", async (t) => {
      const gateway = await start(t);
      const client = viemOf(gateway, { batch: true });
      const [balance, accounts] = await Promise.allSettled([
        client.getBalance({ address: account.address }),
        client.request({ method: "eth_accounts" }),
      ]);
      assert.equal(balance.status, "fulfilled");
      assert.ok(accounts.status === "rejected" && accounts.reason instanceof MethodNotFoundRpcError);

      const { provider } = ethersOf(t, gateway);
      const [block, refused] = await Promise.allSettled([
        provider.getBlockNumber(),
        provider.send("eth_accounts", []),
      ]);
      assert.equal(block.status, "fulfilled");
      assert.ok(refused.status === "rejected" && isError(refused.reason, "UNSUPPORTED_OPERATION"));
    });

    test("a revert reaches viem and ethers with its data", async (t) => {
      const gateway = await start(t);
      const data =
        `0x08c379a0${"20".padStart(64, "0")}${"2".padStart(64, "0")}${"6e6f".padEnd(64, "0")}` as const;
      const bytes = (data.length - 2) / 2;
      const code =
        `0x60${bytes.toString(16)}600c60003960${bytes.toString(16)}6000fd${data.slice(2)}` as const;
      await assert.rejects(viemOf(gateway).call({ account, data: code }), /no/);
      const { provider } = ethersOf(t, gateway);
      await assert.rejects(provider.call({ data: code }), (error) => {
        assert.ok(isError(error, "CALL_EXCEPTION"));
        assert.deepEqual([error.data, error.reason], [data, "no"]);
        return true;
      });
    });
  });
}

describe("clients of a gateway to two nodes", { concurrency: 2 }, () => {
  test("go on while one of them is killed, and while one hangs", async (t) => {
    for (const signal of ["SIGKILL", "SIGSTOP"] as const) {
      const nodes = [await startAnvil(t, chainId), await startAnvil(t, chainId)];
      const client = viemOf(await gatewayTo(t, nodes, { attempt_ms: 1_000 }));
      const send = async (): Promise<void> => {
        const hash = await client.sendTransaction({ to: recipient, value: 1n });
        assert.equal((await client.waitForTransactionReceipt({ hash, timeout: 120_000 })).status, "success");
      };
      for (let count = 0; count < 3; count += 1) await send();
      nodes[0]?.signal(signal);
      for (let count = 0; count < 3; count += 1) await send();
      assert.equal(await client.getBalance({ address: recipient }), 6n);
    }
  });

  test("see a reorganisation", async (t) => {
    const anvil = await startAnvil(t, chainId);
    const gateway = await gatewayTo(t, [anvil]);
    const client = viemOf(gateway);
    const admin = createWalletClient({ account, chain: sepolia, transport: http(anvil.url) });
    const request = (method: string, params: unknown): Promise<unknown> =>
      admin.request({ method, params } as never);
    await request("anvil_mine", ["0xa"]);
    const { hash: old } = await client.getBlock({ blockNumber: 10n });
    await until("it is kept", async () => {
      const { headers } = await gateway.call("sepolia", "eth_getBlockByNumber", "0xa", false);
      return headers.get("x-cache") === "HIT";
    });
    await request("anvil_reorg", [3, []]);
    await until(
      "the other block is served",
      async () => (await client.getBlock({ blockNumber: 10n })).hash !== old,
    );
  });
});

describe("clients of a WebSocket", () => {
  for (const [chain, start] of chains) {
    test(`viem and ethers hear of blocks and logs on ${chain}`, async (t) => {
      const gateway = await start(t);
      const url = `${gateway.url.replace("http", "ws")}sepolia`;
      const transport = webSocket(url, { reconnect: false });
      const watcher = createWalletClient({ account, chain: sepolia, transport }).extend(publicActions);
      const { close } = await watcher.transport.getRpcClient();
      t.after(close);
      const provider = new WebSocketProvider(url);
      t.after(() => provider.destroy());

      const blocks: bigint[] = [];
      const counts: (bigint | undefined)[] = [];
      const ethersBlocks: number[] = [];
      const client = viemOf(gateway);
      const deployment = await client.deployContract({ abi: counterAbi, bytecode: counterCode });
      const { contractAddress: address } = await client.waitForTransactionReceipt({ hash: deployment });
      assert.ok(address);
      const stops = [
        watcher.watchBlockNumber({ onBlockNumber: (number) => blocks.push(number) }),
        watcher.watchContractEvent({
          address,
          abi: counterAbi,
          onLogs: (logs) => counts.push(...logs.map(({ args }) => args.count)),
        }),
      ];
      await provider.on("block", (number: number) => ethersBlocks.push(number));
      await until("all hear", async () => {
        await client.writeContract({ address, abi: counterAbi, functionName: "next" });
        return blocks.length > 1 && counts.length > 1 && ethersBlocks.length > 1;
      });
      for (const stop of stops) stop();
      assert.deepEqual(
        blocks,
        blocks.toSorted((one, other) => Number(one - other)),
      );
    });
  }
});

describe("clients of a network that has ended", () => {
  test("learn the successor at once, without asking again", async (t) => {
    const gateway = await startGateway(t, []);
    await assert.rejects(
      viemOf(gateway, {}, "rinkeby").getBlockNumber(),
      /use \/gateway\/v1\/sepolia instead/,
    );
  });
});
