import assert from "node:assert/strict";
import { describe, test } from "node:test";

import * as fc from "fast-check";

import { AppError } from "../../core/error.ts";
import { onComparedEngines, startTestApp } from "../../../test/support/harness.ts";
import { addAccount, addZone } from "../../../test/support/store.ts";
import type { PlanName } from "../zones/zones.ts";
import { checkPurge } from "./purge.ts";

const url = "https://www.example.com/css/styles.css";
const many = <Item>(length: number, item: Item): Item[] => Array.from({ length }, () => item);

/** The code and pointer of the refusal; undefined when the purge is accepted. */
function refusalOf(body: object, plan: PlanName = "enterprise"): string | undefined {
  try {
    checkPurge(body, { name: "example.com", plan });
  } catch (error) {
    assert.ok(error instanceof AppError);
    return error.pointer === undefined ? String(error.code) : `${error.code} ${error.pointer}`;
  }
}

onComparedEngines("purging the cache", (engine) => {
  test("POST and DELETE answer the zone's id", async (t) => {
    const app = await startTestApp(t, engine);
    const id = await app.createZone("example.com");
    for (const method of ["POST", "DELETE"]) {
      for (const body of [{ purge_everything: true }, { files: [url] }, { tags: ["a"] }]) {
        const answer = await app.request(method, `/zones/${id}/purge_cache`, { body });
        assert.equal(answer.text, `{"result":{"id":"${id}"},"success":true,"errors":[],"messages":[]}`);
      }
      const nothing = await app.request(method, `/zones/${id}/purge_cache`, { body: {} });
      assert.deepEqual([nothing.status, nothing.body.errors[0]?.code], [400, 1012]);
    }
    const log = await app.request("GET", `/accounts/${app.owner.accountId}/audit_logs?action.type=purge`);
    assert.equal(log.body.result.length, 6);
  });

  test("a request that the zone's plan does not have is refused", async (t) => {
    const app = await startTestApp(t, engine, { default_plan: "business" });
    const id = await app.createZone("example.com");
    const answer = await app.request("POST", `/zones/${id}/purge_cache`, { body: { tags: ["a"] } });
    assert.equal(answer.status, 400);
    assert.deepEqual(answer.body.errors, [
      { code: 1107, message: "Only enterprise zones can purge by tag.", source: { pointer: "/tags" } },
    ]);
  });

  test("the cache of somebody else's zone is not found", async (t) => {
    const app = await startTestApp(t, engine);
    const foreign = await addZone(app, "foreign.example", { account_id: await addAccount(app, "Foreign") });
    const body = { purge_everything: true };
    const answer = await app.request("POST", `/zones/${foreign}/purge_cache`, { body });
    assert.equal(answer.status, 404);
    assert.deepEqual(answer.body.errors, [{ code: 1001, message: "Invalid zone identifier" }]);
  });
});

describe("what can be purged", () => {
  test("each form alone or with others, with empty lists and nulls for the rest", () => {
    const accepted = [
      { purge_everything: true, files: [], tags: null },
      { files: [url, { url: "http://example.com/", headers: { "CF-IPCountry": "US" } }, { url }] },
      { tags: ["a", "x".repeat(1_024)] },
      { hosts: ["example.com", "WWW.example.com"] },
      { prefixes: ["www.example.com/css", "example.com"] },
      { files: many(500, url) },
      { tags: many(30, "a") },
      { tags: ["a"], hosts: ["example.com"], prefixes: ["example.com/a"] },
      { files: [url, { url, headers: null }], tags: ["a"], hosts: ["example.com"], prefixes: null },
    ];
    for (const body of accepted) assert.equal(refusalOf(body), undefined, JSON.stringify(body).slice(0, 80));
  });

  test("nothing, or everything and something, is refused", () => {
    assert.equal(refusalOf({}), "1012");
    assert.equal(refusalOf({ files: [] }), "1012");
    assert.equal(refusalOf({ purge_everything: false }), "1013 /purge_everything");
    assert.equal(refusalOf({ purge_everything: "true" }), "1013 /purge_everything");
    assert.equal(refusalOf({ purge_everything: true, files: [url] }), "1092");
    assert.equal(refusalOf({ purge_everything: true, hosts: ["example.com"] }), "1092");
    assert.equal(refusalOf({ tags: ["a"], hosts: ["example.net"] }), "1115 /hosts/0");
  });

  test("a list is a list, and has at most as many items as the plan allows", () => {
    assert.equal(refusalOf({ files: url }), "1014 /files");
    assert.equal(refusalOf({ hosts: { 0: "example.com" } }), "1014 /hosts");
    assert.equal(refusalOf({ files: many(501, url) }), "1094 /files");
    assert.equal(refusalOf({ tags: many(31, "a") }), "1101 /tags");
    assert.equal(refusalOf({ hosts: many(31, "example.com") }), "1111 /hosts");
    assert.equal(refusalOf({ prefixes: many(31, "example.com/a") }), "1117 /prefixes");
    for (const plan of ["free", "pro", "business"] as const) {
      assert.equal(refusalOf({ files: many(30, url) }, plan), undefined);
      assert.equal(refusalOf({ files: many(31, url) }, plan), "1094 /files");
      assert.equal(refusalOf({ tags: ["a"] }, plan), "1107 /tags");
      assert.equal(refusalOf({ hosts: ["example.com"] }, plan), "1112 /hosts");
      assert.equal(refusalOf({ prefixes: ["example.com/a"] }, plan), "1118 /prefixes");
    }
  });

  test("items of the wrong form or of another zone are named by their place", () => {
    for (const file of [1, null, "", "/css", {}, { url, headers: { a: 1 } }, { url, headers: [] }]) {
      assert.equal(refusalOf({ files: [url, file] }), "1084 /files/1", JSON.stringify(file));
    }
    for (const file of ["https://example.net/", "https://notexample.com/", "ftp://example.com/"]) {
      assert.equal(refusalOf({ files: [file] }), "1082 /files/0", file);
    }
    assert.equal(refusalOf({ tags: ["a", ""] }), "1014 /tags/1");
    assert.equal(refusalOf({ tags: ["x".repeat(1_025)] }), "1100 /tags/0");
    assert.equal(refusalOf({ hosts: ["x".repeat(201)] }), "1114 /hosts/0");
    for (const host of [1, "", "example.net", "https://example.com"]) {
      assert.equal(refusalOf({ hosts: [host] }), "1115 /hosts/0", String(host));
    }
    for (const prefix of [
      1,
      "",
      "https://example.com/a",
      "example.net/a",
      "example.com/a?b",
      "example.com/ a",
    ]) {
      assert.equal(refusalOf({ prefixes: [prefix] }), "1115 /prefixes/0", String(prefix));
    }
  });

  test("no body makes anything but a verdict", () => {
    const names = fc.constantFrom("purge_everything", "files", "tags", "hosts", "prefixes");
    fc.assert(fc.property(fc.dictionary(names, fc.jsonValue()), (body) => void refusalOf(body)));
  });
});
