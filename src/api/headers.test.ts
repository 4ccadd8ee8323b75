import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { byToken, startTestApp } from "../../test/support/harness.ts";

const promised = {
  "content-type": "application/json",
  "api-version": "2024-08-06",
  "cache-control": "no-store, no-cache, must-revalidate, post-check=0, pre-check=0",
  pragma: "no-cache",
  expires: "Sun, 25 Jan 1981 05:00:00 GMT",
  "x-content-type-options": "nosniff",
  "x-frame-options": "SAMEORIGIN",
  vary: "accept-encoding",
  "cf-cache-status": "DYNAMIC",
  server: "zoneward",
};

describe("response headers", () => {
  test("every answer carries the headers of the API, whatever came of the request", async (t) => {
    const app = await startTestApp(t, "sqlite");
    const cases = [
      { title: "a result", method: "GET", path: "/user", status: 200 },
      { title: "a page", method: "GET", path: "/zones", status: 200 },
      { title: "an open operation", method: "GET", path: "/ips", headers: {}, status: 200 },
      { title: "HEAD", method: "HEAD", path: "/zones", status: 200 },
      { title: "no credentials", method: "GET", path: "/zones", headers: {}, status: 400 },
      { title: "an unknown path", method: "GET", path: "/nothing", status: 400 },
      { title: "a malformed path", method: "GET", path: "/%zz", status: 400 },
      { title: "a malformed id", method: "GET", path: "/zones/1", status: 404 },
      { title: "a wrong method", method: "PUT", path: "/zones", status: 405 },
      { title: "malformed JSON", method: "POST", path: "/zones", rawBody: "{", status: 400 },
      { title: "an invalid body", method: "POST", path: "/zones", rawBody: "{}", status: 400 },
    ];
    for (const { title, method, path, status, headers, rawBody } of cases) {
      const answer = await app.request(method, path, {
        headers: headers ?? byToken,
        ...(rawBody !== undefined && { rawBody }),
      });
      assert.equal(answer.status, status, title);
      for (const [name, value] of Object.entries(promised))
        assert.equal(answer.headers.get(name), value, `${name} of ${title}`);
      assert.match(answer.headers.get("cf-ray") ?? "", /^[0-9a-f]{16}-[A-Z]{3}$/, title);
    }
  });

  test("no answer names the framework, sets a cookie or promises TLS on plain HTTP", async (t) => {
    const app = await startTestApp(t, "sqlite");
    const { headers } = await app.request("GET", "/zones");
    for (const name of ["x-powered-by", "set-cookie", "strict-transport-security"])
      assert.equal(headers.get(name), null, name);
  });

  test("no cf-ray comes twice", async (t) => {
    const app = await startTestApp(t, "sqlite");
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, index) => app.request("GET", index % 2 === 0 ? "/ips" : "/nothing")),
    );
    assert.equal(new Set(answers.map(({ headers }) => headers.get("cf-ray"))).size, answers.length);
  });
});
