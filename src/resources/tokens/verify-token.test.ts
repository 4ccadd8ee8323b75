import assert from "node:assert/strict";
import { before, test } from "node:test";

import {
  byKey,
  byToken,
  onComparedEngines,
  ownerEmail,
  startTestApp,
  type TestApp,
} from "../../../test/support/harness.ts";
import { suiteContext } from "../../../test/support/suite-context.ts";

const unknownToken = { authorization: `Bearer ${"x".repeat(40)}` };

function refused(error: object): string {
  return JSON.stringify({ success: false, errors: [error], messages: [], result: null });
}

onComparedEngines("verifyToken", (engine) => {
  const suite = suiteContext();
  let app: TestApp;
  before(async () => {
    app = await startTestApp(suite, engine);
  });

  test("a good token learns its id and that it is active", async () => {
    for (const headers of [byToken, { ...byToken, ...byKey }]) {
      const { status, body } = await app.request("GET", "/user/tokens/verify", { headers });
      assert.equal(status, 200);
      assert.deepEqual(Object.keys(body.result), ["id", "status"]);
      assert.match(body.result.id, /^[0-9a-f]{32}$/);
      assert.equal(body.result.status, "active");
      assert.deepEqual(body.messages, [
        { code: 10000, message: "This API Token is valid and active", type: null },
      ]);
    }
  });

  test("anything else is told what is wrong with it", async () => {
    const invalidHeaders = (...error_chain: object[]): string =>
      refused({ code: 6003, message: "Invalid request headers", error_chain });
    const malformedToken = { code: 6111, message: "Invalid format for Authorization header" };
    const malformedKey = { code: 6103, message: "Invalid format for X-Auth-Key header" };
    const cases: readonly (readonly [Record<string, string>, number, string])[] = [
      [unknownToken, 401, refused({ code: 1000, message: "Invalid API Token" })],
      [{ ...byKey, ...unknownToken }, 401, refused({ code: 1000, message: "Invalid API Token" })],
      [
        byKey,
        400,
        '{"result":null,"success":false,"errors":[{"code":1001,"message":"Missing \\"Authorization\\" header"}],"messages":[]}',
      ],
      [{ authorization: "Bearer short" }, 400, invalidHeaders(malformedToken)],
      [{ authorization: "Token abc" }, 400, invalidHeaders(malformedToken)],
      [{ ...byToken, "x-auth-email": ownerEmail, "x-auth-key": "short" }, 400, invalidHeaders(malformedKey)],
      [
        {},
        400,
        refused({ code: 9106, message: "Missing X-Auth-Key, X-Auth-Email or Authorization headers" }),
      ],
    ];
    for (const [headers, status, text] of cases) {
      const answer = await app.request("GET", "/user/tokens/verify", { headers });
      assert.equal(answer.text, text);
      assert.equal(answer.status, status, text);
    }
  });

  test("a token outlives a restart", async () => {
    const earlier = await app.request("GET", "/user/tokens/verify");
    await app.restart();
    assert.equal((await app.request("GET", "/user/tokens/verify")).text, earlier.text);
  });
});
