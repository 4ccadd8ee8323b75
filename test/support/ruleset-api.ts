import assert from "node:assert/strict";

import type { TestAnswer, TestApp } from "./harness.ts";

export const managedRulesetId = "efb7b8c949ac4650a09736fc376e9aee";
export const owaspRulesetId = "4814384a9e5d4991b9815dcfc25d2f1f";
export const finalScoreRuleId = "6179ae15870a4bb7b2d480d4843b323c";

/** The rulesets of one zone or account, over HTTP. Paths are below `/rulesets`. */
export interface RulesetApi {
  readonly zoneId: string;
  send(method: string, path?: string, body?: unknown): Promise<TestAnswer>;
  /** The result of a request that succeeds. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read many shapes
  result(method: string, path?: string, body?: unknown): Promise<any>;
  /** Shows that a request is refused so, and that every ruleset with its versions is byte for byte what it was. */
  refuses(method: string, path: string, body: unknown, refusal: Refusal): Promise<void>;
}

export interface Refusal {
  readonly status?: number;
  readonly code: number;
  readonly message?: string | RegExp;
  readonly pointer?: string;
}

export const entryPoint = (phase: string): string => `/phases/${phase}/entrypoint`;
export const custom = entryPoint("http_request_firewall_custom");
export const managed = entryPoint("http_request_firewall_managed");

export async function zoneRulesets(app: TestApp, name = "example.com"): Promise<RulesetApi> {
  const zoneId = await app.createZone(name);
  return rulesetsBelow(app, `/zones/${zoneId}`, zoneId);
}

export function accountRulesets(app: TestApp): RulesetApi {
  return rulesetsBelow(app, `/accounts/${app.owner.accountId}`, "");
}

function rulesetsBelow(app: TestApp, base: string, zoneId: string): RulesetApi {
  const send: RulesetApi["send"] = (method, path = "", body) =>
    app.request(method, `${base}/rulesets${path}`, body === undefined ? {} : { body });
  const state = async (): Promise<string[]> => {
    const list = await send("GET");
    const own = (list.body.result as { id: string; kind: string }[]).filter(({ kind }) => kind !== "managed");
    const rulesets = own.map(async ({ id }) => [
      (await send("GET", `/${id}`)).text,
      (await send("GET", `/${id}/versions`)).text,
    ]);
    return [list.text, ...(await Promise.all(rulesets)).flat()];
  };
  return {
    zoneId,
    send,
    result: async (method, path, body) => {
      const answer = await send(method, path, body);
      assert.equal(answer.status, 200, answer.text);
      return answer.body.result;
    },
    refuses: async (method, path, body, { status = 400, code, message, pointer }) => {
      const before = await state();
      const answer = await send(method, path, body);
      const [error] = answer.body.errors;
      const found = { status: answer.status, code: error?.code, pointer: error?.source?.pointer };
      assert.deepEqual(found, { status, code, pointer }, answer.text);
      if (message instanceof RegExp) assert.match(error?.message ?? "", message);
      else if (message !== undefined) assert.equal(error?.message, message);
      assert.deepEqual(await state(), before);
    },
  };
}
