import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";

import { memberTexts } from "../../src/gateway/chain/json-rpc.ts";
import { startGateway } from "../support/gateway-app.ts";
import { startNode, type JsonRpcNode, type NodeResult } from "../support/json-rpc-node.ts";

interface Exchange {
  readonly file: string;
  readonly request: string;
  readonly response: string;
}

/**
 * Requests and responses of nodes, in the form of the `.io` files of ethereum/execution-apis, one to a line.
 * JSON_RPC_EXCHANGES names another folder of such files, of which the methods outside the policy and the ranges over
 * its limits are left out.
 */
const folder = process.env["JSON_RPC_EXCHANGES"] ?? join(import.meta.dirname, "../json-rpc-exchanges");
const exchanges = globSync("**/*.io", { cwd: folder }).flatMap(readExchanges);

function readExchanges(file: string): Exchange[] {
  const lines = readFileSync(join(folder, file), "utf8").split("\n");
  return lines.flatMap((line, index) => {
    const answer = lines.slice(index + 1).find((later) => later.startsWith("<<"));
    return line.startsWith(">>") && answer !== undefined
      ? [{ file, request: line.slice(2).trim(), response: answer.slice(2).trim() }]
      : [];
  });
}

function nodeAnswers(): JsonRpcNode["answers"] {
  const byCall = new Map(exchanges.map(({ request, response }) => [keyOf(request), outcomeOf(response)]));
  const methods = new Set(exchanges.map(({ request }) => (JSON.parse(request) as { method: string }).method));
  return Object.fromEntries(
    [...methods].map((method) => [method, (params) => byCall.get(keyOf(JSON.stringify({ method, params })))]),
  );
}

function keyOf(request: string): string {
  const { method, params = [] } = JSON.parse(request) as { method: string; params?: unknown[] };
  return `${method} ${JSON.stringify(params)}`;
}

function outcomeOf(response: string): NodeResult {
  const members = memberTexts(response);
  const [result, error] = [members.get("result"), members.get("error")];
  return error === undefined ? { result: result ?? "null" } : { error };
}

const isPolicyRefusal = (response: string): boolean =>
  /"code":-3260[12],"message":"(?:The method|eth_\w+ is limited)/.test(response);

describe("recorded exchanges pass the gateway byte for byte", () => {
  test("one by one, out of the cache, and all in one batch", async (t) => {
    assert.ok(exchanges.length > 0);
    const chainId = exchanges.find(({ request }) => request.includes("eth_chainId"));
    const id =
      chainId === undefined ? 1 : Number((JSON.parse(chainId.response) as { result: string }).result);
    const node = await startNode(t, { answers: nodeAnswers(), chainId: id });
    const app = await startGateway(t, [{ name: "recorded", chain_id: id, upstreams: [node.url] }]);
    let passed = 0;
    for (const { file, request, response } of [...exchanges, ...exchanges]) {
      const { text } = await app.post("recorded", request);
      if (isPolicyRefusal(text)) continue;
      passed += 1;
      assert.deepEqual(outcomeOf(text), outcomeOf(response), file);
      assert.equal(memberTexts(text).get("id"), memberTexts(request).get("id"));
    }
    t.diagnostic(`${passed / 2} of ${exchanges.length} exchanges passed, the others are outside the policy`);

    const { text } = await app.post("recorded", `[${exchanges.map(({ request }) => request).join(",")}]`);
    const singles = await Promise.all(exchanges.map(({ request }) => app.post("recorded", request)));
    assert.equal(text, `[${singles.map((single) => single.text).join(",")}]`);
  });
});
