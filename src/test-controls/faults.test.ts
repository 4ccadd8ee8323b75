import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { startFaultApp } from "../../test/support/fault-api.ts";
import { byKey, byToken, onComparedEngines } from "../../test/support/harness.ts";
import { bearer, policy } from "../../test/support/token-api.ts";

onComparedEngines("an answer that is lost", (engine) => {
  test("comes after the change was made", async (t) => {
    const app = await startFaultApp(t, engine);
    await app.fault({ match: { operation: "createZone", next: 1 }, effect: { type: "lost_answer" } });
    await assert.rejects(app.request("POST", "/zones", { body: { name: "example.com" } }));
    const { body } = await app.request("GET", "/zones?name=example.com");
    assert.equal(body.result.length, 1);
  });
});

describe("a fault", () => {
  test("answers with an error of the API, and the operation does not run", async (t) => {
    const app = await startFaultApp(t);
    const effect = { type: "error", status: 503, code: 10503, message: "Try again" };
    await app.fault({ match: { method: "POST", path: "/client/v4/zones" }, effect });
    const answer = await app.request("POST", "/zones", { body: { name: "example.com" } });
    assert.equal(answer.status, 503);
    assert.deepEqual(answer.body, {
      result: null,
      success: false,
      errors: [{ code: 10503, message: "Try again" }],
      messages: [],
    });
    assert.equal((await app.request("GET", "/zones")).body.result.length, 0);
  });

  test("answers 429 with the headers of rate limits", async (t) => {
    const app = await startFaultApp(t);
    await app.fault({ match: { next: 1 }, effect: { type: "rate_limit", retry_after_seconds: 7 } });
    const { status, headers, body } = await app.request("GET", "/user");
    assert.equal(status, 429);
    assert.equal(headers.get("retry-after"), "7");
    assert.equal(headers.get("ratelimit"), '"default";r=0;t=7');
    assert.equal(headers.get("x-ratelimit-remaining"), "0");
    assert.equal(body.errors[0]?.code, 971);
    assert.equal((await app.request("GET", "/user")).status, 200);
  });

  test("answers with HTML, as proxies do, also where a body was sent and was not read", async (t) => {
    const app = await startFaultApp(t);
    await app.fault({ effect: { type: "html", status: 504 } });
    const rawBody = JSON.stringify({ name: "x".repeat(500_000) });
    const { status, headers, text } = await app.request("POST", "/zones", { rawBody });
    assert.equal(status, 504);
    assert.equal(headers.get("content-type"), "text/html");
    assert.equal(headers.get("zoneward-test-controls"), "on");
    assert.match(text, /<h1>504 Gateway Timeout<\/h1>/);
  });

  test("damages the JSON of an answer, which is otherwise whole", async (t) => {
    const app = await startFaultApp(t);
    for (const form of ["truncated", "malformed"]) {
      await app.fault({ match: { next: 1 }, effect: { type: "bad_json", form } });
      await assert.rejects(app.request("GET", "/user"), SyntaxError);
    }
    const { status, body } = await app.request("GET", "/user");
    assert.equal(status, 200);
    assert.equal(body.success, true);
  });

  test("reads what was before the last change, and only as the same caller saw it", async (t) => {
    const app = await startFaultApp(t);
    const zone = await app.createZone("example.com");
    const record = await app.request("POST", `/zones/${zone}/dns_records`, {
      body: { type: "A", name: "www", content: "192.0.2.1", ttl: 300 },
    });
    const path = `/zones/${zone}/dns_records/${record.body.result.id}`;
    const contentFor = async (headers: Record<string, string> = byToken): Promise<string> =>
      (await app.request("GET", path, { headers })).body.result.content as string;
    assert.equal(await contentFor(), "192.0.2.1");
    await app.request("PATCH", path, { body: { content: "192.0.2.2" } });
    assert.equal(await contentFor(), "192.0.2.2");
    const id = await app.fault({ match: { path: `/client/v4${path}` }, effect: { type: "stale_read" } });
    assert.equal(await contentFor(), "192.0.2.1");
    assert.equal(await contentFor(byKey), "192.0.2.2");
    await app.control("DELETE", `/faults/${id}`);
    assert.equal(await contentFor(), "192.0.2.2");
  });

  test("repeats a page of a list, or leaves one out, under the number that was asked for", async (t) => {
    const app = await startFaultApp(t);
    for (const name of ["a.example", "b.example", "c.example"]) await app.createZone(name);
    const page = async (number: number): Promise<readonly unknown[]> => {
      const { body } = await app.request("GET", `/zones?order=name&direction=asc&per_page=1&page=${number}`);
      return [body.result[0]?.name, body.result_info?.page];
    };
    const repeated = await app.fault({ effect: { type: "page", form: "repeated", page: 2 } });
    assert.deepEqual(await page(1), ["a.example", 1]);
    assert.deepEqual(await page(2), ["a.example", 2]);
    assert.deepEqual(await page(3), ["c.example", 3]);
    await app.control("DELETE", `/faults/${repeated}`);
    await app.fault({ effect: { type: "page", form: "missing", page: 2 } });
    assert.deepEqual(await page(2), ["c.example", 2]);
    assert.equal((await app.request("GET", "/user")).status, 200);
  });

  test("meets the requests of one token, one zone, one header", async (t) => {
    const app = await startFaultApp(t);
    const zone = await app.createZone("example.com");
    const other = await app.createZone("example.net");
    const made = await app.request("POST", "/user/tokens", { body: { name: "t", policies: [policy({})] } });
    const { id, value } = made.body.result;
    await app.fault([
      { name: "token", match: { token: id }, effect: { type: "error", status: 501 } },
      { name: "zone", match: { zone }, effect: { type: "error", status: 502 } },
      { name: "header", match: { header: { "X-Run": "7" } }, effect: { type: "error", status: 503 } },
    ]);
    const statusOf = async (path: string, headers: Record<string, string>): Promise<number> =>
      (await app.request("GET", path, { headers })).status;
    assert.equal(await statusOf(`/zones/${zone}`, bearer(value)), 501);
    assert.equal(await statusOf(`/zones/${zone}/settings`, byToken), 502);
    assert.equal(await statusOf(`/zones/${other}`, { ...byToken, "x-run": "7" }), 503);
    assert.equal(await statusOf(`/zones/${other}`, { ...byToken, "x-run": "8" }), 200);
    assert.equal(await statusOf(`/zones/${other}`, {}), 400);
    assert.equal(await statusOf(`/zones/${other}`, bearer("x".repeat(40))), 403);
  });

  test("can be switched off and on and be removed while everything fails, and counts what it did", async (t) => {
    const app = await startFaultApp(t);
    const id = await app.fault({ effect: { type: "close", when: "before" } });
    await assert.rejects(app.request("GET", "/user"));
    const [listed] = (await app.control("GET", "/faults")).body.result;
    assert.deepEqual(
      { matched: listed.matched, acted: listed.acted, on: listed.on },
      { matched: 1, acted: 1, on: true },
    );
    await app.control("PATCH", `/faults/${id}`, { on: false });
    assert.equal((await app.request("GET", "/user")).status, 200);
    const again = await app.control("PATCH", `/faults/${id}`, { on: true });
    assert.equal(again.body.result.acted, 0);
    await assert.rejects(app.request("GET", "/user"));
    assert.deepEqual((await app.control("DELETE", "/faults")).body.result, { ids: [id] });
    assert.equal((await app.request("GET", "/user")).status, 200);
    assert.equal((await app.control("DELETE", `/faults/${id}`)).status, 404);
    assert.equal((await app.control("PATCH", `/faults/${id}`, { on: true })).status, 404);
  });

  test("does not touch the test controls, probes and documents", async (t) => {
    const app = await startFaultApp(t);
    await app.fault({ effect: { type: "error" } });
    for (const path of ["/test/v1/status", "/healthz", "/metrics", "/openapi.json"]) {
      assert.equal((await fetch(new URL(path, app.baseUrl), { headers: byToken })).status, 200, path);
    }
  });

  test("is an error of JSON-RPC on the gateway", async (t) => {
    const app = await startFaultApp(t);
    const call = async (): Promise<Response> =>
      fetch(`${app.gatewayUrl}/v1/development`, {
        method: "POST",
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_chainId", params: [] }),
      });
    await app.fault([
      { match: { listener: "gateway", next: 1 }, effect: { type: "error", status: 500, code: -32000 } },
      { match: { listener: "gateway", next: 1 }, effect: { type: "rate_limit", retry_after_seconds: 3 } },
    ]);
    const failed = await call();
    assert.equal(failed.status, 500);
    assert.deepEqual(await failed.json(), {
      jsonrpc: "2.0",
      id: null,
      error: { code: -32000, message: "Internal server error" },
    });
    const limited = await call();
    assert.equal(limited.status, 429);
    assert.equal(limited.headers.get("retry-after"), "3");
    const entries = await app.journal({ listener: "gateway" });
    assert.deepEqual(
      entries.map(({ status, fault, body }) => [status, fault, body.method]),
      [
        [500, "1", "eth_chainId"],
        [429, "2", "eth_chainId"],
      ],
    );
  });
});

describe("rules of faults", () => {
  test("are refused whole with every error and its place: none of them is added", async (t) => {
    const app = await startFaultApp(t);
    const good = { effect: { type: "error" } };
    const answer = await app.control("POST", "/faults", [
      good,
      { match: { path: "zones", share: 7 }, effect: { type: "close" } },
      { effect: { type: "explode" } },
    ]);
    assert.equal(answer.status, 400);
    assert.deepEqual(
      answer.body.errors.map(({ code, source }) => [code, source?.pointer]),
      [
        [1003, "/1/match/path"],
        [1003, "/1/match/share"],
        [1003, "/1/effect/when"],
        [1003, "/2/effect/type"],
      ],
    );
    for (const wrong of [undefined, null, 1, [], {}, { preset: "none" }, { preset: "flaky", effect: {} }]) {
      const refused = await app.control("POST", "/faults", wrong);
      assert.equal(refused.status, 400, JSON.stringify(wrong));
    }
    const manyWrong = await app.control(
      "POST",
      "/faults",
      Array.from({ length: 2_000 }, () => ({})),
    );
    assert.deepEqual([manyWrong.status, manyWrong.body.errors.length], [400, 1_000]);
    assert.deepEqual((await app.control("GET", "/faults")).body.result, []);
  });

  test("come as presets: half of all requests are limited, writes lose their answers, all is out", async (t) => {
    const app = await startFaultApp(t);
    const statuses = async (): Promise<readonly (number | undefined)[]> => {
      const seen: (number | undefined)[] = [];
      for (let request = 0; request < 4; request += 1) {
        seen.push((await app.request("GET", "/user").catch(() => undefined))?.status);
      }
      return seen;
    };
    await app.fault({ preset: "rate-limited" });
    assert.deepEqual(await statuses(), [200, 429, 200, 429]);
    await app.control("DELETE", "/faults");
    await app.fault({ preset: "lost-answers" });
    assert.deepEqual(await statuses(), [200, 200, 200, 200]);
    await app.createZone("a.example");
    await assert.rejects(app.createZone("b.example"));
    assert.equal((await app.request("GET", "/zones")).body.result.length, 2);
    await app.control("DELETE", "/faults");
    await app.fault({ preset: "outage" });
    assert.deepEqual(await statuses(), [503, 503, 503, 503]);
    await app.control("DELETE", "/faults");
    await app.fault({ preset: "flaky" });
    const first = await statuses();
    await app.control("DELETE", "/faults");
    await app.fault({ preset: "flaky" });
    assert.deepEqual(await statuses(), first);
  });
});
