import assert from "node:assert/strict";
import { describe, test } from "node:test";

import * as fc from "fast-check";

import { fieldsOf, requestOf, type TestRequest } from "../../../test/support/request-context.ts";
import type { UrlNormalization } from "../transforms/url-normalization.ts";
import { splitUrl } from "./described-request.ts";

const fields = (url: string, request: TestRequest = {}) =>
  fieldsOf(requestOf(url, { zone: { name: "example.com", plan: "pro" }, ...request }));

describe("fields of a described request", () => {
  test("the path is normalized as the zone says, by default by RFC 3986, and as it is written in the raw fields", async (t) => {
    const paths = {
      "": "/",
      "/a/b": "/a/b",
      "/a/../b/./c": "/b/c",
      "/../../a": "/a",
      "/a/..": "/",
      "/a/b/.": "/a/b/",
      "//a///b": "/a/b",
      "/%61%2e%2E/x": "/a../x",
      "/a%2fb%3c": "/a%2Fb%3C",
      "/a\\b": "/a/b",
      "/\\a/\\..//b": "/b",
    };
    for (const [path, normalized] of Object.entries(paths))
      await t.test(JSON.stringify(path), () => {
        const found = fields(`https://example.com${path}?a=/../b`);
        assert.equal(found["http.request.uri.path"], normalized, path);
        assert.equal(found["raw.http.request.uri.path"], path === "" ? "/" : path);
        assert.equal(found["http.request.uri"], `${normalized}?a=/../b`);
      });
    const pathOf = (urlNormalization: UrlNormalization) =>
      fields("https://example.com//a\\%62", { urlNormalization })["http.request.uri.path"];
    assert.equal(pathOf({ type: "rfc3986", scope: "incoming" }), "//a%5Cb");
    assert.equal(pathOf({ type: "cloudflare", scope: "both" }), "/a/b");
    assert.equal(pathOf({ type: "cloudflare", scope: "none" }), "//a\\%62");
  });

  test("names of cookies are decoded as browsers do it, or stay as they are", () => {
    const written = fc.string({
      unit: fc.constantFrom("%", "2", "5", "c", "C", "3", "b", "8", "a", "é", "😀", "f"),
    });
    fc.assert(
      fc.property(written, (name) => {
        const cookies = fields("https://example.com/", { headers: { cookie: `${name}=1` } })[
          "http.request.cookies"
        ];
        let decoded = name;
        try {
          decoded = decodeURIComponent(name);
        } catch {}
        assert.deepEqual(Object.keys(cookies as object), [decoded]);
      }),
      { numRuns: 1_000 },
    );
  });

  test("host, query, arguments, cookies and headers come as the language has them", () => {
    const found = fields("HTTP://User@WWW.Example.com.:8080/a.tar.GZ?x=1&y=%20&x=2&z#part", {
      headers: { Accept: "a", "accept-language": "de-CH, en;q=0.8", "X-Two": "2" },
      cookies: { "a%20b": "1", c: "d=e" },
    });
    assert.equal(found["ssl"], false);
    assert.equal(found["http.host"], "www.example.com");
    assert.equal(found["cf.edge.server_port"], 8080);
    assert.match(String(found["http.request.full_uri"]), /^http:\/\/www\.example\.com\/a/);
    assert.equal(found["http.request.uri.query"], "x=1&y=%20&x=2&z");
    assert.deepEqual(found["http.request.uri.args"], { x: ["1", "2"], y: ["%20"], z: [""] });
    assert.equal(found["http.request.uri.path.extension"], "gz");
    assert.deepEqual(found["http.request.cookies"], { "a b": ["1"], c: ["d=e"] });
    assert.deepEqual(found["http.request.accepted_languages"], ["de-CH", "en"]);
    assert.deepEqual(found["http.request.headers.names"], [
      "host",
      "accept",
      "accept-language",
      "x-two",
      "cookie",
    ]);
    assert.equal(found["cf.zone.plan"], "PRO");
  });

  test("names and values are listed in the order of the request, repeated ones each time", () => {
    const found = fields("https://example.com/?x=1&7=2&x=3", {
      method: "POST",
      body: "b=1&2=y&b=3",
      headers: { "Content-Type": "application/x-www-form-urlencoded", "X-A": "1", "x-b": "2", "x-a": "3" },
    });
    for (const prefix of ["http.request", "raw.http.request"]) {
      assert.deepEqual(found[`${prefix}.uri.args.names`], ["x", "7", "x"]);
      assert.deepEqual(found[`${prefix}.uri.args.values`], ["1", "2", "3"]);
    }
    assert.deepEqual(found["http.request.body.form.names"], ["b", "2", "b"]);
    assert.deepEqual(found["http.request.body.form.values"], ["1", "y", "3"]);
    const [names, values] = ["names", "values"].map(
      (each) => found[`http.request.headers.${each}`] as string[],
    );
    assert.deepEqual(names?.slice(-3), ["x-a", "x-b", "x-a"]);
    assert.deepEqual(values?.slice(-3), ["1", "2", "3"]);
  });

  test("a form is read where the body is one", () => {
    const body = "a=1&b=2&a=%33";
    const form = fields("https://example.com/", {
      method: "POST",
      body,
      headers: { "content-type": "application/x-www-form-urlencoded; charset=utf-8" },
    });
    assert.deepEqual(form["http.request.body.form"], { a: ["1", "%33"], b: ["2"] });
    assert.equal(form["http.request.body.mime"], "application/x-www-form-urlencoded");
    const other = fields("https://example.com/", { body, bodyType: "text/plain" });
    assert.deepEqual(other["http.request.body.form"], {});
    assert.equal(other["http.request.body.size"], 13);
  });

  test("of a long body the first 128 KiB are seen, and its whole size", () => {
    const octetsMax = 131_072;
    for (const [body, seen] of [
      ["x".repeat(octetsMax), "x".repeat(octetsMax)],
      ["x".repeat(octetsMax + 1), "x".repeat(octetsMax)],
      [`${"x".repeat(octetsMax - 1)}é`, `${"x".repeat(octetsMax - 1)}\u00c3`],
      ["é".repeat(octetsMax), "é".repeat(octetsMax / 2)],
    ] as const) {
      const found = fields("https://example.com/", { body });
      assert.equal(found["http.request.body.raw"], seen);
      assert.equal(found["http.request.body.truncated"], seen !== body);
      assert.equal(found["http.request.body.size"], Buffer.byteLength(body));
    }
    const form = fields("https://example.com/", {
      body: `a=${"x".repeat(octetsMax)}&b=1`,
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
    assert.deepEqual(form["http.request.body.form.names"], ["a"]);
  });

  test("what is no absolute URL of HTTP is none", async (t) => {
    for (const url of ["", "example.com", "/path", "ftp://example.com/", "https://", "https:///path"])
      await t.test(JSON.stringify(url), () => {
        assert.equal(splitUrl(url), undefined, url);
      });
  });
});
