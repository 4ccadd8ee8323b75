import assert from "node:assert/strict";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";

import { createWalletClient, http, parseEther, publicActions, type Hex } from "viem";
import { mnemonicToAccount } from "viem/accounts";
import { sepolia } from "viem/chains";

import { newDirectory, startOfTime } from "../../../test/support/harness.ts";
import { startGateway, type GatewayApp } from "../../../test/support/gateway-app.ts";
import { spawnServer } from "../../../test/support/spawned-server.ts";
import { suiteContext } from "../../../test/support/suite-context.ts";
import { journalGasMax } from "./development-chain.ts";
import { callGasMax } from "./development-library.ts";

const account = mnemonicToAccount("test test test test test test test test test test test junk");
/** JUMPDEST, PUSH1 0, JUMP */
const endlessLoop = "0x5b600056";
const recipient = "0x000000000000000000000000000000000000dEaD";

/** The processes of chains that this process has started. */
function chainProcesses(): number[] {
  const children = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, "utf8");
  return children
    .split(" ")
    .filter(
      (child) => child !== "" && readFileSync(`/proc/${child}/cmdline`, "utf8").includes("chain-process"),
    )
    .map(Number);
}

function clientOf(url: string) {
  return createWalletClient({ account, chain: sepolia, transport: http(`${url}sepolia`) }).extend(
    publicActions,
  );
}

describe("sepolia with nothing configured", () => {
  const suite = suiteContext();
  let shared: Promise<GatewayApp> | undefined;
  const started = (): Promise<GatewayApp> => (shared ??= startGateway(suite, []));
  const ask = async (method: string, ...params: readonly unknown[]) =>
    (await (await started()).call("sepolia", method, ...params)).body;

  test("has the chain id of Sepolia, the block of the public documentation, and says what it is", async () => {
    assert.equal((await ask("eth_chainId")).result, "0xaa36a7");
    assert.equal((await ask("net_version")).result, "11155111");
    const { result: block } = await ask("eth_getBlockByNumber", "0x2244", true);
    assert.equal(block.number, "0x2244");
    const { result: parent } = await ask("eth_getBlockByNumber", "0x2243", true);
    assert.deepEqual(
      [block.parentHash, Number(block.timestamp) - Number(parent.timestamp)],
      [parent.hash, 12],
    );
    assert.ok(Number((await ask("eth_blockNumber")).result) > 0x2244);
    assert.match((await ask("web3_clientVersion")).result, /^Zoneward\/\S+\/development-chain\//);
  });

  test("takes null among the alternatives of a topic for any value, as go-ethereum does", async () => {
    const topic = `0x${"1".repeat(64)}`;
    for (const topics of [
      [null],
      [[null]],
      [[topic, null]],
      [[null, topic], null, [topic]],
      [[]],
      [[topic]],
    ]) {
      const { result, error } = await ask("eth_getLogs", { fromBlock: "0x2200", toBlock: "0x2244", topics });
      assert.deepEqual([result, error], [[], undefined], JSON.stringify(topics));
    }
    assert.equal((await ask("eth_getLogs", { topics: [["0x1"]] })).error?.code, -32602);
  });

  test("proves storage by keys with and without leading zeros, as web3.py and viem write them", async () => {
    const one = `0x${"1".padStart(64, "0")}`;
    for (const key of ["0x1", "0x01", one]) {
      const { result } = await ask("eth_getProof", recipient, [key, key], "latest");
      assert.deepEqual(
        result.storageProof.map((proof: { key: string; value: string }) => [proof.key, proof.value]),
        [
          [one, "0x0"],
          [one, "0x0"],
        ],
      );
    }
    assert.equal((await ask("eth_getProof", recipient, [`${one}0`], "latest")).error?.code, -32602);
    const many = `{"jsonrpc":"2.0","id":1,"method":"eth_getProof","params":[${"0,".repeat(400_000)}0]}`;
    assert.equal((await (await started()).post("sepolia", many)).body.error?.code, -32602);
  });

  test("answers every documented method that a chain after the merge can", async () => {
    const { result: block } = await ask("eth_getBlockByNumber", "0x2244", false);
    const address = account.address;
    const calls: readonly (readonly [method: string, ...params: unknown[]])[] = [
      ["web3_sha3", "0x00"],
      ["net_listening"],
      ["eth_syncing"],
      ["eth_mining"],
      ["eth_gasPrice"],
      ["eth_maxPriorityFeePerGas"],
      ["eth_blobBaseFee"],
      ["eth_feeHistory", "0x5", "latest", [50]],
      ["eth_getBalance", address, "latest"],
      ["eth_getStorageAt", address, "0x0", "latest"],
      ["eth_getTransactionCount", address, "latest"],
      ["eth_getBlockTransactionCountByHash", block.hash],
      ["eth_getBlockTransactionCountByNumber", "0x2244"],
      ["eth_getUncleCountByBlockHash", block.hash],
      ["eth_getUncleCountByBlockNumber", "0x2244"],
      ["eth_getCode", address, "latest"],
      ["eth_call", { to: recipient }, "latest"],
      ["eth_estimateGas", { from: address, to: recipient, value: "0x1" }],
      ["eth_getBlockByHash", block.hash, false],
      ["eth_getTransactionByHash", block.hash],
      ["eth_getTransactionByBlockHashAndIndex", block.hash, "0x0"],
      ["eth_getTransactionByBlockNumberAndIndex", "0x2244", "0x0"],
      ["eth_getTransactionReceipt", block.hash],
      ["eth_getUncleByBlockHashAndIndex", block.hash, "0x0"],
      ["eth_getUncleByBlockNumberAndIndex", "0x2244", "0x0"],
      ["eth_getLogs", { fromBlock: "0x2244", toBlock: "0x2250" }],
      ["eth_getProof", address, [block.hash], "latest"],
      ["eth_getBlockReceipts", "0x2244"],
      ["eth_getBlockReceipts", block.hash],
    ];
    for (const [method, ...params] of calls) {
      const { result, error } = await ask(method, ...params);
      assert.ok(error === undefined && result !== undefined, `${method}: ${JSON.stringify(error)}`);
    }
    assert.equal((await ask("eth_getUncleCountByBlockNumber", "0x2244")).result, "0x0");
    assert.equal((await ask("eth_getUncleCountByBlockNumber", "0xffffff")).result, null);
    assert.equal((await ask("eth_getWork")).error?.code, -32004);
    assert.equal((await ask("trace_filter", { fromBlock: "latest" })).error?.code, -32601);
  });

  test("answers a block that is none with -32602, not as if it did not know the method", async () => {
    const calls: readonly (readonly [string, ...unknown[]])[] = [
      ["eth_call", { to: recipient }, "newest"],
      ["eth_estimateGas", { to: recipient }, "newest"],
      ["eth_feeHistory", "0x1", "newest", []],
      ["eth_getBalance", recipient, "newest"],
      ["eth_getBlockByNumber", "newest", false],
      ["eth_getCode", recipient, "newest"],
      ["eth_getLogs", { fromBlock: "newest" }],
      ["eth_getProof", recipient, [], "newest"],
      ["eth_getStorageAt", recipient, "0x0", "newest"],
      ["eth_getTransactionCount", recipient, "newest"],
    ];
    for (const [method, ...params] of calls)
      assert.equal((await ask(method, ...params)).error?.code, -32602, method);
  });

  test("says what is wrong with params without words of its parser", async () => {
    const messages = [];
    for (const params of [[], ["0x12", "latest"]])
      messages.push((await ask("eth_getBalance", ...params)).error);
    assert.deepEqual(messages, [
      { code: -32602, message: "invalid length 0, expected 2 params" },
      { code: -32602, message: 'invalid value "0x12" supplied to : ADDRESS' },
    ]);
  });

  test("does not let a client change the chain but by signed transactions", async () => {
    for (const method of [
      "evm_mine",
      "hardhat_mine",
      "hardhat_setBalance",
      "evm_snapshot",
      "eth_sendTransaction",
    ]) {
      assert.equal((await ask(method)).error?.code, -32601, method);
    }
  });

  test("mines a transaction at once, for accounts that have funds", async () => {
    const client = clientOf((await started()).url);
    const before = await client.getBlockNumber();
    const hash = await client.sendTransaction({ to: recipient, value: parseEther("1.5") });
    const receipt = await client.waitForTransactionReceipt({ hash });
    assert.deepEqual([receipt.status, receipt.blockNumber], ["success", before + 1n]);
    assert.equal(await client.getBalance({ address: recipient }), parseEther("1.5"));
    const block = await client.getBlock({ blockNumber: receipt.blockNumber });
    assert.equal(block.timestamp, BigInt(Math.floor(startOfTime.getTime() / 1000)));
    assert.deepEqual(block.transactions, [hash]);
  });

  test("takes transactions that come at once, each into a block", async () => {
    const client = clientOf((await started()).url);
    const nonce = await client.getTransactionCount({ address: account.address });
    const signed = await Promise.all(
      [0, 1, 2, 3].map(async (index) => {
        const request = await client.prepareTransactionRequest({
          to: recipient,
          value: 1n,
          nonce: nonce + index,
        });
        return client.signTransaction(request as never);
      }),
    );
    const hashes: Hex[] = [];
    for (const serializedTransaction of signed.toReversed()) {
      hashes.push(await client.sendRawTransaction({ serializedTransaction }));
    }
    const receipts = await Promise.all(hashes.map((hash) => client.getTransactionReceipt({ hash })));
    assert.ok(receipts.every(({ status }) => status === "success"));
  });

  test("says why a call reverts, as other nodes do", async () => {
    // Returns Error("no") and reverts: 0x08c379a0, offset 32, length 2, "no".
    const data = `0x08c379a0${"20".padStart(64, "0")}${"2".padStart(64, "0")}${"6e6f".padEnd(64, "0")}`;
    const bytes = Buffer.from(data.slice(2), "hex");
    const length = bytes.length.toString(16).padStart(2, "0");
    const code = `0x60${length}600c60003960${length}6000fd${bytes.toString("hex")}`;
    const { error } = await ask("eth_call", { from: account.address, data: code }, "latest");
    assert.deepEqual(error, { code: 3, message: "execution reverted: no", data });
  });

  test("says what clients look for where a sender lacks funds", async () => {
    const client = createWalletClient({
      account: mnemonicToAccount("test test test test test test test test test test test junk", {
        addressIndex: 90,
      }),
      chain: sepolia,
      transport: http(`${(await started()).url}sepolia`),
    }).extend(publicActions);
    const signed = await client.signTransaction({
      to: recipient,
      value: 1n,
      gas: 21_000n,
      nonce: 0,
      maxFeePerGas: 10n ** 10n,
      maxPriorityFeePerGas: 1n,
      type: "eip1559",
    } as never);
    const { error } = await ask("eth_sendRawTransaction", signed);
    assert.match(error?.message ?? "", /insufficient funds/);
  });

  test("answers transactions with the time of their block, and those with a fee of their own with their parity", async () => {
    const client = clientOf((await started()).url);
    for (const type of ["legacy", "eip2930", "eip1559"] as const) {
      const request = await client.prepareTransactionRequest({ to: recipient, value: 1n, type });
      const hash = await client.sendRawTransaction({
        serializedTransaction: await client.signTransaction(request as never),
      });
      const { result } = await ask("eth_getTransactionByHash", hash);
      const { result: block } = await ask("eth_getBlockByHash", result.blockHash, true);
      for (const transaction of [result, block.transactions[0]]) {
        assert.equal(transaction.blockTimestamp, block.timestamp, type);
        assert.equal(transaction.yParity, type === "legacy" ? undefined : transaction.v, type);
      }
    }
  });

  test("gives a call that never ends little gas, whatever it asks for", async () => {
    for (const gas of [undefined, "0xffffff", "0xffffffffffff"]) {
      // GAS, PUSH1 0, MSTORE, PUSH1 32, PUSH1 0, RETURN
      const { result } = await ask("eth_call", { data: "0x5a60005260206000f3", gas }, "latest");
      assert.ok(BigInt(result) < callGasMax, result);
    }
  });

  test("refuses an invalid transaction, and nothing is mined", async () => {
    const before = (await ask("eth_blockNumber")).result;
    for (const raw of ["0x", "0x02", "nothing", 5]) {
      assert.ok((await ask("eth_sendRawTransaction", raw)).error !== undefined, String(raw));
    }
    assert.equal((await ask("eth_blockNumber")).result, before);
  });
});

describe("the development chain", () => {
  const send = async (url: string): Promise<{ hash: Hex; blockHash: Hex }> => {
    const client = clientOf(url);
    const hash = await client.sendTransaction({ to: recipient, value: 1n });
    const { blockHash } = await client.getTransactionReceipt({ hash });
    return { hash, blockHash };
  };

  test("has the same blocks and hashes after a restart, and goes on from there", async (t) => {
    const gateway = await startGateway(t, []);
    const sent = [await send(gateway.url)];
    gateway.app.advance(60_000);
    sent.push(await send(gateway.url));
    const latest = (await gateway.call("sepolia", "eth_getBlockByNumber", "latest", true)).text;
    await gateway.app.restart();
    assert.equal((await gateway.call("sepolia", "eth_getBlockByNumber", "latest", true)).text, latest);
    for (const { hash, blockHash } of sent) {
      const { body } = await gateway.call("sepolia", "eth_getTransactionReceipt", hash);
      assert.equal(body.result.blockHash, blockHash);
    }
    await send(gateway.url);
    await gateway.app.restart();
    const { body } = await gateway.call("sepolia", "eth_getTransactionCount", account.address, "latest");
    assert.equal(body.result, "0x3");
  });

  test("survives a line that a crash cut short", async (t) => {
    const gateway = await startGateway(t, []);
    const { hash } = await send(gateway.url);
    await gateway.app.close();
    const journal = join(gateway.app.config.data, "gateway", "sepolia-development-chain.jsonl");
    const content = readFileSync(journal);
    appendFileSync(journal, '{"time":1767323046,"transac');
    await gateway.app.restart();
    assert.equal(
      (await gateway.call("sepolia", "eth_getTransactionReceipt", hash)).body.result.status,
      "0x1",
    );
    assert.deepEqual(readFileSync(journal), content);
  });

  test("is 503 with the reason where there is no build for the machine, and the API works", async (t) => {
    const env = { NAPI_RS_NATIVE_LIBRARY_PATH: "/no/such/file.node" };
    const server = await spawnServer(t, [`--data=${newDirectory(t)}`], { env });
    const url = `${new URL(server.baseUrl).origin}/gateway/v1/sepolia`;
    const response = await fetch(url, {
      method: "POST",
      body: '{"jsonrpc":"2.0","id":7,"method":"eth_chainId"}',
    });
    const body = (await response.json()) as { id: number; error: { code: number; message: string } };
    assert.deepEqual([response.status, body.id, body.error.code], [503, 7, -32002]);
    assert.match(body.error.message, /@nomicfoundation\/edr cannot be loaded on \w+-\w+/);
    assert.doesNotMatch(body.error.message, /node_modules|\/no\/such/);
    assert.equal((await fetch(`${server.baseUrl}/ips`)).status, 200);
  });

  test("is started by the first call, not before, and again after its process has ended", async (t) => {
    const gateway = await startGateway(t, []);
    const before = new Set(chainProcesses());
    await gateway.app.request("GET", "/ips");
    await gateway.call("mainnet", "eth_blockNumber");
    assert.deepEqual(new Set(chainProcesses()), before);
    const { hash } = await send(gateway.url);
    const [child = 0, ...others] = chainProcesses().filter((pid) => !before.has(pid));
    assert.deepEqual(others, []);

    const endless = gateway.call("sepolia", "eth_estimateGas", { data: endlessLoop });
    process.kill(child, "SIGKILL");
    const { status, body } = await endless;
    assert.deepEqual([status, body.error?.code], [503, -32002]);
    assert.match(body.error?.message ?? "", /has ended: .*The next call starts it again/);
    const { body: again } = await gateway.call("sepolia", "eth_getTransactionReceipt", hash);
    assert.equal(again.result.status, "0x1");
  });

  test("does not keep a transaction that ended its process", async (t) => {
    const gateway = await startGateway(t, []);
    await send(gateway.url);
    const journal = join(gateway.app.config.data, "gateway", "sepolia-development-chain.jsonl");
    const before = readFileSync(journal, "utf8");
    const client = clientOf(gateway.url);
    const serializedTransaction = await client.signTransaction({
      data: endlessLoop,
      gas: 16_777_216n,
      nonce: 1,
      maxFeePerGas: 10n ** 11n,
      maxPriorityFeePerGas: 1n,
      type: "eip1559",
    } as never);
    const sending = gateway.call("sepolia", "eth_sendRawTransaction", serializedTransaction);
    const { body } = await sending;
    assert.equal(body.error?.code, -32002, JSON.stringify(body));
    assert.equal(readFileSync(journal, "utf8"), before);
    assert.equal(
      (await gateway.call("sepolia", "eth_getTransactionCount", account.address, "latest")).body.result,
      "0x1",
    );
  });

  test("refuses transactions once those that it stores have used all the gas that a start may cost", async (t) => {
    const gateway = await startGateway(t, []);
    await send(gateway.url);
    await gateway.app.close();
    const journal = join(gateway.app.config.data, "gateway", "sepolia-development-chain.jsonl");
    const [line = ""] = readFileSync(journal, "utf8").split("\n");
    assert.equal(JSON.parse(line).gas, 21_000);
    writeFileSync(journal, line.replace('"gas":21000', `"gas":${journalGasMax}`).concat("\n"));
    await gateway.app.restart();
    await assert.rejects(send(gateway.url), /have used 400000000 gas/);
    assert.equal(
      (await gateway.call("sepolia", "eth_getTransactionCount", account.address, "latest")).body.result,
      "0x1",
    );
  });

  test("is named as such at the start", async (t) => {
    const server = await spawnServer(t, [`--data=${newDirectory(t)}`]);
    assert.match(
      server.stdout(),
      /Gateway +http:\S+\/gateway\/v1\/\{network\} +\(sepolia is a development chain of this server, not the public one\)/,
    );
    const networks = '[{"name":"sepolia","upstreams":["http://127.0.0.1:1/"]}]';
    const other = await spawnServer(t, ["--ephemeral", `--gateway-networks=${networks}`]);
    assert.doesNotMatch(other.stdout(), /development chain/);
  });
});
