import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { startFaultApp } from "../../test/support/fault-api.ts";
import { byKey, byToken, ownerEmail, ownerKey, ownerToken, until } from "../../test/support/harness.ts";
import { policy } from "../../test/support/token-api.ts";

describe("the journal", () => {
  test("has every request with its operation, caller, status, body and answer, in order", async (t) => {
    const app = await startFaultApp(t);
    const zone = await app.createZone("example.com");
    await app.request("GET", `/zones/${zone}?a=b`, { headers: byKey });
    await app.request("GET", "/nothing", { headers: {} });
    const [created, read, lost, ...others] = await app.journal();
    assert.deepEqual(others, []);
    assert.deepEqual(
      [created.operation, created.method, created.path],
      ["createZone", "POST", "/client/v4/zones"],
    );
    assert.deepEqual(created.body, { name: "example.com" });
    assert.equal(created.status, 200);
    assert.equal(created.answer.result.id, zone);
    assert.equal(created.caller.credential, "token");
    assert.match(created.caller.token_id, /^[0-9a-f]{32}$/);
    assert.deepEqual([read.operation, read.query, read.zone], ["getZone", "a=b", zone]);
    assert.equal(read.caller.credential, "key");
    assert.equal(read.caller.user.email, ownerEmail);
    assert.deepEqual([lost.operation, lost.status, lost.caller, lost.body], [null, 400, null, null]);
  });

  test("holds no secret, neither of requests nor of answers", async (t) => {
    const app = await startFaultApp(t);
    const made = await app.request("POST", "/user/tokens", { body: { name: "t", policies: [policy({})] } });
    const secret = made.body.result.value as string;
    await app.request("GET", "/user/tokens/verify", { headers: { authorization: `Bearer ${secret}` } });
    await app.request("GET", `/user?token=${secret}`, { headers: byKey });
    await app.request("PUT", `/user/tokens/${made.body.result.id}/value`, { body: {} });
    const { text } = await app.control("GET", "/journal");
    const rolled = /"path":"[^"]*\/value".*?"answer":\{"result":"([^"]*)"/.exec(text)?.[1];
    assert.equal(rolled, "********");
    for (const each of [secret, ownerToken, ownerKey]) assert.ok(!text.includes(each), each);
    assert.match(text, /"authorization":"\*{8}"/);
  });

  test("has the headers that were sent, not those that the server made of them", async (t) => {
    const app = await startFaultApp(t);
    await app.request("POST", "/zones", {
      rawBody: "{}",
      headers: { ...byToken, "content-type": "text/plain" },
    });
    assert.equal((await app.journal({ header: { "content-type": "text/plain" } })).length, 1);
    const [entry] = await app.journal();
    assert.equal(entry.headers["content-type"], "text/plain");
  });

  test("is bounded by body, says what is cut off, and can be emptied", async (t) => {
    const app = await startFaultApp(t);
    await app.request("POST", "/zones", { rawBody: "x".repeat(200_000) });
    const [entry] = await app.journal();
    assert.equal(entry.body.length, 64 * 1024 + 1);
    assert.ok(entry.body.endsWith("x\u2026"));
    await app.control("DELETE", "/journal");
    assert.deepEqual(await app.journal(), []);
  });

  test("is searched by the match of faults and by status; the newest are shown, and how many there are", async (t) => {
    const app = await startFaultApp(t);
    for (const name of ["a.example", "b.example", "a.example"]) {
      await app.request("POST", "/zones", { body: { name } });
    }
    assert.equal((await app.journal({ operation: "createZone", status: 400 })).length, 1);
    assert.equal((await app.journal({ path: "/client/v4/zones/*" })).length, 0);
    const { result } = (await app.control("POST", "/journal/search", { limit: 1 })).body;
    assert.equal(result.total, 3);
    assert.deepEqual(
      result.entries.map(({ status }: { status: number }) => status),
      [400],
    );
    const refused = await app.control("POST", "/journal/search", {
      match: { next: 1, status: "200" },
      limit: 0,
    });
    assert.deepEqual(
      refused.body.errors.map(({ source }) => source?.pointer),
      ["/match/next", "/match/status", "/limit"],
    );
  });

  test("verifies how many requests came and in which order, and explains what came closest", async (t) => {
    const app = await startFaultApp(t);
    const zone = await app.createZone("example.com");
    await app.request("DELETE", `/zones/${zone}`);
    const verify = async (expect: readonly object[], in_order = false) =>
      (await app.control("POST", "/journal/verify", { expect, in_order })).body.result;
    const created = { match: { operation: "createZone" } };
    const deleted = { match: { operation: "deleteZone" } };
    assert.equal((await verify([created, deleted], true)).verified, true);
    const reversed = await verify([deleted, created], true);
    assert.deepEqual([reversed.verified, reversed.out_of_order], [false, 1]);
    assert.equal((await verify([{ ...created, at_most: 0 }])).verified, false);
    const misspelt = await app.control("POST", "/journal/verify", {
      expect: [{ match: { operation: "deletZone" }, at_most: 0 }],
    });
    assert.deepEqual(
      [misspelt.status, misspelt.body.errors[0]?.source?.pointer],
      [400, "/expect/0/match/operation"],
    );
    const missed = await verify([{ match: { operation: "deleteZone", status: 404 } }]);
    const [closest] = missed.expectations[0].near_misses;
    assert.equal(closest.entry.operation, "deleteZone");
    assert.deepEqual(closest.misses, [{ part: "status", expected: 404, actual: 200 }]);
  });

  test("is followed as server-sent events, until the client goes or the server ends", async (t) => {
    const app = await startFaultApp(t);
    const follow = async (signal?: AbortSignal): Promise<Response> =>
      fetch(new URL("/test/v1/journal/stream", app.baseUrl), { headers: byToken, ...(signal && { signal }) });
    const leaving = new AbortController();
    await follow(leaving.signal);
    leaving.abort();
    const answer = await follow();
    assert.equal(answer.headers.get("content-type"), "text/event-stream");
    await app.request("GET", "/user");
    let text = "";
    const reading = (async () => {
      for await (const part of answer.body ?? []) text += Buffer.from(part).toString();
    })();
    await until("the request is told", () => text.includes("\n\n", text.indexOf("data: ")));
    const [, event, id, data] = /^event: (.*)\nid: (.*)\ndata: (.*)\n\n/m.exec(text) ?? [];
    assert.deepEqual([event, id], ["request", "1"]);
    assert.equal((JSON.parse(data ?? "") as { operation: string }).operation, "getUser");
    await app.close();
    await reading;
  });
});
