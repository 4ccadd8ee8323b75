import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { startTestApp } from "../../../test/support/harness.ts";

describe("listEdgeAddresses", () => {
  test("the ranges are open to everybody, also to a caller with bad credentials", async (t) => {
    const app = await startTestApp(t, "sqlite");
    const callers = [{}, { authorization: "Bearer x" }, { "x-auth-email": "x", "x-auth-key": "y" }];
    const answers = await Promise.all(callers.map((headers) => app.request("GET", "/ips", { headers })));
    for (const { status, text, body } of answers) {
      assert.equal(status, 200, text);
      assert.deepEqual(Object.keys(body.result), ["ipv4_cidrs", "ipv6_cidrs", "etag"]);
      assert.equal(body.result.ipv4_cidrs.length, 15);
      assert.equal(body.result.ipv6_cidrs.length, 7);
      assert.ok(body.result.ipv4_cidrs.includes("173.245.48.0/20"));
      assert.ok(body.result.ipv6_cidrs.includes("2400:cb00::/32"));
      assert.match(body.result.etag, /^[0-9a-f]{32}$/);
    }
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
  });

  test("the ranges are those of the setting, and the etag changes with them", async (t) => {
    const ranges = [["192.0.2.0/24", "2001:db8::/32"], ["192.0.2.0/25", "2001:db8::/32"], []];
    const etags = new Set<string>();
    for (const edge_addresses of ranges) {
      const app = await startTestApp(t, "sqlite", { edge_addresses });
      const { result } = (await app.request("GET", "/ips")).body;
      assert.deepEqual([...result.ipv4_cidrs, ...result.ipv6_cidrs], edge_addresses);
      etags.add(result.etag as string);
    }
    assert.equal(etags.size, ranges.length);
  });

  test("networks=jdcloud adds the ranges of its setting; any other network adds none", async (t) => {
    const app = await startTestApp(t, "sqlite");
    const plain = (await app.request("GET", "/ips")).body.result;
    const { status, body } = await app.request("GET", "/ips?networks=jdcloud", { headers: {} });
    assert.equal(status, 200);
    const { jdcloud_cidrs: jdCloud, etag, ...edge } = body.result;
    assert.ok(jdCloud.length > 10);
    assert.ok(jdCloud.includes("27.36.126.224/27") && jdCloud.includes("240e:f7:7c00:821:1000::/68"));
    assert.deepEqual({ ...edge, etag: plain.etag }, plain);
    assert.notEqual(etag, plain.etag);
    for (const networks of ["", "other"]) {
      assert.deepEqual((await app.request("GET", `/ips?networks=${networks}`)).body.result, plain);
    }

    const own = await startTestApp(t, "sqlite", { jdcloud_addresses: ["192.0.2.0/24", "2001:db8::/32"] });
    const { result } = (await own.request("GET", "/ips?networks=jdcloud")).body;
    assert.deepEqual(result.jdcloud_cidrs, ["192.0.2.0/24", "2001:db8::/32"]);
    assert.deepEqual(result.ipv4_cidrs, plain.ipv4_cidrs);
    assert.notEqual(result.etag, etag);
  });
});
