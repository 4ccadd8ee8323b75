import assert from "node:assert/strict";
import { test } from "node:test";

import { firstSignIn, password } from "../../../test/support/browser.ts";
import { onComparedEngines, startTestApp } from "../../../test/support/harness.ts";
import { storedRows } from "../../../test/support/store.ts";

/**
 * Headers that browsers send for a page that is not ours: newer ones, those without a trusted connection, of
 * a sandbox.
 */
const foreign: readonly Record<string, string>[] = [
  { "sec-fetch-site": "cross-site", origin: "https://evil.example" },
  { "sec-fetch-site": "same-site", origin: "http://127.0.0.1:1" },
  { "sec-fetch-site": "none" },
  { origin: "https://evil.example" },
  { origin: "http://127.0.0.1:1" },
  { origin: "null" },
];

onComparedEngines("a page of another origin", (engine) => {
  test("changes nothing with the session of a browser, whatever it makes it send", async (t) => {
    const app = await startTestApp(t, engine);
    const browser = await firstSignIn(app);
    const { cookie } = browser;
    const before = await storedRows(app);
    const attempts = [
      ["POST", "/session", { email: app.owner.email, password }],
      ["DELETE", "/session", undefined],
      ["POST", "/session/password", { current_password: password, new_password: "of the attacker" }],
      ["POST", "/session/api_key/change", { password }],
      ["POST", "/session/api_key/view", { password }],
      ["POST", "/session/first", { token: "x", password }],
    ] as const;
    for (const headers of foreign) {
      for (const [method, path, body] of attempts) {
        const answer = await browser.request(method, path, { headers, body });
        assert.deepEqual([answer.status, answer.body.errors[0]?.code], [403, 10415], path);
      }
      const zone = { body: { name: "example.com" } };
      const zones = "/client/v4/zones";
      const asked = await browser.request("POST", zones, {
        ...zone,
        headers: { ...headers, "x-zoneward-session": "1" },
      });
      assert.deepEqual([asked.status, asked.body.errors[0]?.code], [403, 10415]);
      // Without the header, which it cannot send, the cookie is no credential.
      const plain = await browser.request("POST", zones, {
        ...zone,
        headers: { ...headers, "content-type": "text/plain" },
      });
      assert.deepEqual([plain.status, plain.body.errors[0]?.code], [400, 9106]);
    }
    assert.deepEqual(await storedRows(app), before);
    assert.equal(browser.cookie, cookie);
    assert.equal((await browser.request("GET", "/session")).status, 200);
  });

  test("is told apart from a page of this server, also behind a proxy", async (t) => {
    const app = await startTestApp(t, engine, {
      public_url: "https://zones.example.com",
      trusted_proxies: ["127.0.0.1"],
    });
    const browser = await firstSignIn(app);
    const own: readonly Record<string, string>[] = [
      { "sec-fetch-site": "same-origin", origin: "https://zones.example.com" },
      { origin: "https://zones.example.com" },
      { origin: new URL(app.baseUrl).origin },
      { origin: "https://forwarded.example", "x-forwarded-host": "forwarded.example" },
      {},
    ];
    for (const headers of own) {
      const answer = await browser.request("POST", "/session", {
        headers,
        body: { email: app.owner.email, password },
      });
      assert.equal(answer.status, 200, JSON.stringify(headers));
      const cookies = answer.headers.getSetCookie();
      assert.deepEqual([cookies.length, cookies.every((cookie) => cookie.endsWith("; Secure"))], [2, true]);
    }
    assert.match(app.signInLink ?? "", /^https:\/\/zones\.example\.com\/first-sign-in#/);
  });
});
