import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { byKey, byToken, onComparedEngines, startOfTime, startTestApp } from "../../test/support/harness.ts";
import { sendBytes } from "../../test/support/raw-http.ts";
import { bearer, policy } from "../../test/support/token-api.ts";

const controlsToken = "the-token-of-the-test-controls-0123456789";
const on = { test_controls: true, test_controls_token: controlsToken };
const header = "zoneward-test-controls";

onComparedEngines("the test controls", (engine) => {
  test("are not there, and say nothing, unless the settings turn them on", async (t) => {
    const app = await startTestApp(t, engine);
    const answer = await fetch(new URL("/test/v1/status", app.baseUrl), { headers: byToken });
    assert.equal(answer.status, 400);
    assert.equal(answer.headers.has(header), false);
  });

  test("are for the owner's key and token, and for a token of their own that is good for nothing else", async (t) => {
    const app = await startTestApp(t, engine, on);
    const statusFor = (headers: Record<string, string>): Promise<Response> =>
      fetch(new URL("/test/v1/status", app.baseUrl), { headers });
    for (const headers of [byKey, byToken, bearer(controlsToken)]) {
      const answer = await statusFor(headers);
      assert.equal(answer.status, 200);
      const { result } = (await answer.json()) as { result: { now: string } };
      assert.equal(result.now, startOfTime.toISOString());
    }
    assert.equal((await app.request("GET", "/zones", { headers: bearer(controlsToken) })).status, 403);

    const post = await fetch(new URL("/test/v1/status", app.baseUrl), { method: "POST", headers: byToken });
    assert.equal(post.status, 405);
    assert.equal((await statusFor({})).status, 400);
    assert.equal((await statusFor(bearer("x".repeat(40)))).status, 403);
    const narrow = await app.request("POST", "/user/tokens", {
      body: { name: "DNS only", policies: [policy({})] },
    });
    assert.equal((await statusFor(bearer(narrow.body.result.value))).status, 403);
    const { accountId } = app.owner;
    const ofAccount = await app.request("POST", `/accounts/${accountId}/tokens`, {
      headers: byKey,
      body: {
        name: "of the account",
        policies: [policy({ resources: { [`com.cloudflare.api.account.${accountId}`]: "*" } })],
      },
    });
    assert.equal(ofAccount.status, 200, ofAccount.text);
    assert.equal((await statusFor(bearer(ofAccount.body.result.value))).status, 403);
  });
});

describe("while the test controls are on", () => {
  test("every answer says so, whatever it is to", async (t) => {
    const app = await startTestApp(t, "sqlite", on);
    for (const path of [
      "/client/v4/ips",
      "/client/v4/none",
      "/healthz",
      "/openapi.json",
      "/",
      "/gateway/v1/none",
    ]) {
      assert.equal((await fetch(new URL(path, app.baseUrl))).headers.get(header), "on", path);
    }
    const malformed = await sendBytes(app.baseUrl, "GET / HTTP/1.1\r\nmalformed\r\n\r\n");
    assert.equal(malformed.status, 400);
    assert.equal(malformed.headers.get(header), "on");
  });

  test("their document needs no credentials and names each operation below /test/v1", async (t) => {
    const app = await startTestApp(t, "sqlite", on);
    const answer = await fetch(new URL("/test/v1/openapi.json", app.baseUrl));
    assert.equal(answer.status, 200);
    const document = (await answer.json()) as { servers: object[]; paths: Record<string, object> };
    assert.deepEqual(document.servers, [{ url: "/test/v1" }]);
    assert.ok("/status" in document.paths);
    const ofApi = await fetch(new URL("/openapi.json", app.baseUrl));
    assert.doesNotMatch(await ofApi.text(), /testControls/i);
  });

  test("they have no rate limit", async (t) => {
    const app = await startTestApp(t, "sqlite", { ...on, rate_limit: { user: 1, address: 1 } });
    const status = (): Promise<Response> =>
      fetch(new URL("/test/v1/status", app.baseUrl), { headers: byToken });
    for (let times = 0; times < 5; times += 1) assert.equal((await status()).status, 200);
    assert.equal((await app.request("GET", "/user")).status, 200);
    assert.equal((await app.request("GET", "/user")).status, 429);
  });
});
