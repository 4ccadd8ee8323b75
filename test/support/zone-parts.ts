import assert from "node:assert/strict";
import type { TestContext } from "node:test";

import type { TestAnswer, TestApp } from "./harness.ts";

export interface PartRefusal {
  readonly status?: number;
  readonly code: number;
  readonly message: string;
  readonly pointer?: string;
}

/** A part of one zone, over HTTP: `settings`, `hold`, ... Paths are below it. */
export interface ZonePart {
  readonly zoneId: string;
  send(method: string, path?: string, body?: unknown): Promise<TestAnswer>;
  /** The result of a request that succeeds. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read many shapes
  result(method: string, path?: string, body?: unknown): Promise<any>;
  setPlan(plan: string): Promise<void>;
  /** Shows that a request is refused so and that neither the part nor the zone changed. */
  refuses(method: string, path: string, body: unknown, refusal: PartRefusal): Promise<void>;
  /**
   * Shows that each of these bodies is refused, alone and in place of the one with the id, with its code and pointer.
   */
  refusesEach(
    t: TestContext,
    id: string,
    refusals: readonly (readonly [body: object, code: number, pointer: string])[],
  ): Promise<void>;
}

export async function createZonePart(
  app: TestApp,
  part: string,
  { name = "example.com", plan = "enterprise" }: { readonly name?: string; readonly plan?: string } = {},
): Promise<ZonePart> {
  const zoneId = await app.createZone(name);
  const send: ZonePart["send"] = (method, path = "", body) =>
    app.request(method, `/zones/${zoneId}/${part}${path}`, body === undefined ? {} : { body });
  const setPlan: ZonePart["setPlan"] = async (id) => {
    const answer = await app.request("PATCH", `/zones/${zoneId}`, { body: { plan: { id } } });
    assert.equal(answer.status, 200, answer.text);
  };
  const state = async () => [(await send("GET")).text, (await app.request("GET", `/zones/${zoneId}`)).text];
  await setPlan(plan);
  return {
    zoneId,
    send,
    setPlan,
    result: async (method, path, body) => {
      const answer = await send(method, path, body);
      assert.equal(answer.status, 200, answer.text);
      return answer.body.result;
    },
    refuses: async (method, path, body, { status = 400, code, message, pointer }) => {
      const before = await state();
      const answer = await send(method, path, body);
      const error = { code, message, ...(pointer !== undefined && { source: { pointer } }) };
      assert.deepEqual(
        { status: answer.status, body: answer.body },
        { status, body: { result: null, success: false, errors: [error], messages: [] } },
      );
      assert.deepEqual(await state(), before);
    },
    refusesEach: async (t, id, refusals) => {
      for (const [body, code, pointer] of refusals) {
        await t.test(JSON.stringify(body).slice(0, 120), async () => {
          for (const answer of [await send("POST", "", body), await send("PUT", `/${id}`, body)]) {
            assert.equal(answer.status, 400, answer.text);
            const [error] = answer.body.errors;
            assert.deepEqual([error?.code, error?.source?.pointer], [code, pointer]);
          }
        });
      }
    },
  };
}
