import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { byToken, startTestApp } from "../../test/support/harness.ts";

const id = "0123456789abcdef0123456789abcdef";

describe("routing", () => {
  test("an unknown path is 400 code 7000, with credentials, without, and whatever its body is", async (t) => {
    const app = await startTestApp(t, "sqlite");
    const paths = [
      "/nothing",
      "/client/v4",
      "/client/v4/",
      "/client/v4/nothing",
      "/client/v4/Zones",
      "/client/v4/zones/%zz",
      "/client/v4/%e0%a4%a",
      `/client/v4/zones/${id}/nothing`,
      `/client/v4/zones/${id}/dns_records/${id}/nothing`,
      "/client/v3/zones",
      "/zones",
      "//client/v4/zones",
    ];
    const senders = [
      { method: "GET", headers: {} },
      { method: "GET", headers: byToken },
      { method: "GET", headers: { authorization: "Bearer short" } },
      { method: "HEAD", headers: {} },
      { method: "OPTIONS", headers: {} },
      { method: "DELETE", headers: byToken },
      { method: "POST", headers: byToken, body: "{" },
      { method: "PUT", headers: { ...byToken, "content-type": "no media type" }, body: "{}" },
      { method: "PATCH", headers: byToken, body: " ".repeat(2 * 1024 * 1024) },
    ];
    const { origin } = new URL(app.baseUrl);
    for (const path of paths) {
      for (const { method, headers, body } of senders) {
        const answer = await fetch(origin + path, { method, headers, ...(body !== undefined && { body }) });
        const text = await answer.text();
        assert.equal(answer.status, 400, `${method} ${path}`);
        const expected =
          '{"success":false,"errors":[{"code":7000,"message":"No route for that URI"}],"messages":[],"result":null}';
        assert.equal(text, method === "HEAD" ? "" : expected, `${method} ${path}`);
      }
    }
  });

  test("an id of a wrong form is 404 code 7003 with the whole path, however long", async (t) => {
    const app = await startTestApp(t, "sqlite");
    const paths = [
      "/zones/1",
      "/zones/example.com",
      `/zones/${id.toUpperCase()}`,
      `/zones/${id}0`,
      `/zones/${id.slice(1)}`,
      `/zones/${id.slice(1)}g`,
      `/zones/${id}%00`,
      `/zones/${id}%0A`,
      "/zones/..%2Fuser",
      "/zones/%C3%BC",
      "/zones//dns_records",
      `/zones/${id}/dns_records/invalid`,
      `/zones/invalid/dns_records/${id}`,
      "/accounts/me",
      `/zones/${"a".repeat(2_049)}`,
      `/zones/${"a".repeat(12_000)}/activation_check`,
    ];
    for (const path of paths) {
      const method = path.endsWith("/activation_check") ? "PUT" : "GET";
      const { status, body } = await app.request(method, `${path}?page=1`);
      assert.equal(status, 404, path);
      assert.deepEqual(body, {
        result: null,
        success: false,
        errors: [
          {
            code: 7003,
            message: `Could not route to /client/v4${path}, perhaps your object identifier is invalid?`,
          },
        ],
        messages: [],
      });
    }
  });

  test("a method that a path does not have is 405 with Allow, and nothing happens", async (t) => {
    const app = await startTestApp(t, "sqlite");
    const zoneId = await app.createZone("example.com");
    const cases = [
      ["PUT", "/zones", "GET, HEAD, POST"],
      ["DELETE", "/zones", "GET, HEAD, POST"],
      ["OPTIONS", "/zones", "GET, HEAD, POST"],
      ["PROPFIND", "/zones", "GET, HEAD, POST"],
      ["POST", "/user/tokens/verify", "GET, HEAD"],
      ["POST", "/ips", "GET, HEAD"],
      ["DELETE", `/zones/${zoneId}/activation_check`, "GET, HEAD, PUT"],
      ["GET", `/zones/${zoneId}/dns_records/batch`, "POST"],
      ["HEAD", `/zones/${zoneId}/dns_records/import`, "POST"],
      ["GET", "/zones/1/dns_records/import", "POST"],
      ["DELETE", "/zones/", "GET, HEAD, POST"],
      ["DELETE", "/zones?page=1", "GET, HEAD, POST"],
      // A path with a parameter has an operation for the method.
      ["DELETE", "/user/tokens/verify", "GET, HEAD"],
      ["HEAD", `/zones/${zoneId}/dns_records/batch`, "POST"],
    ] as const;
    for (const [method, path, allow] of cases) {
      for (const headers of [byToken, {}]) {
        const { status, text, headers: answered } = await app.request(method, path, { headers });
        assert.equal(status, 405, `${method} ${path}`);
        assert.equal(answered.get("allow"), allow, `${method} ${path}`);
        const expected =
          '{"success":false,"errors":[{"code":10405,"message":"Method not allowed for this authentication scheme"}],"messages":[],"result":null}';
        assert.equal(text, method === "HEAD" ? "" : expected);
      }
    }
    const malformed = { headers: { "content-type": "no media type" }, rawBody: "{" };
    assert.equal((await app.request("PUT", "/zones", malformed)).status, 405);
    assert.equal((await app.request("GET", `/zones/${zoneId}`)).body.result.status, "pending");
  });

  test("a trailing slash is tolerated", async (t) => {
    const app = await startTestApp(t, "sqlite");
    const created = await app.request("POST", "/zones/", { body: { name: "example.com" } });
    assert.equal(created.status, 200, created.text);
    for (const path of ["/zones", `/zones/${created.body.result.id}`, "/user/tokens/verify", "/ips"]) {
      const plain = await app.request("GET", path);
      assert.equal(plain.status, 200, path);
      assert.equal((await app.request("GET", `${path}/`)).text, plain.text, path);
      assert.equal((await app.request("GET", `${path}/?page=1`)).text, plain.text, path);
    }
  });

  test("HEAD answers as GET does, without the body", async (t) => {
    const app = await startTestApp(t, "sqlite");
    await app.createZone("example.com");
    for (const path of ["/zones", "/user", "/ips", `/zones/${id}`, "/zones?page=0"]) {
      const get = await app.request("GET", path);
      const head = await app.request("HEAD", path);
      assert.equal(head.status, get.status, path);
      assert.equal(head.text, "", path);
      assert.equal(head.headers.get("content-length"), String(Buffer.byteLength(get.text)), path);
    }
    assert.equal((await app.request("HEAD", "/zones", { headers: {} })).status, 400);
  });
});
