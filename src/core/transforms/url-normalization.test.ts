import assert from "node:assert/strict";
import { describe, test } from "node:test";

import * as fc from "fast-check";

import { incomingPath, normalizePath } from "./url-normalization.ts";

const types = ["rfc3986", "cloudflare"] as const;

describe("URL normalization", () => {
  test("follows RFC 3986: section 5.2.4 and 6.2.2, and the examples of the public documentation", () => {
    const paths: Readonly<Record<string, readonly [rfc3986: string, cloudflare: string]>> = {
      "/hello": ["/hello", "/hello"],
      "/%68ello": ["/hello", "/hello"],
      "/%68ello//pa\\th": ["/hello//pa%5Cth", "/hello/pa/th"],
      "/hello//../path": ["/hello/path", "/path"],
      "/hello/\\../path": ["/hello/%5C../path", "/path"],
      "/a/b/c/./../../g": ["/a/g", "/a/g"],
      "/a/../b/./c": ["/b/c", "/b/c"],
      "/../../a": ["/a", "/a"],
      "/a/..": ["/", "/"],
      "/a/b/.": ["/a/b/", "/a/b/"],
      "/a/%2e%2E/x": ["/x", "/x"],
      "//a///b": ["//a///b", "/a/b"],
      "/%41%5a%61%7A%30%39%2d%2E%5F%7e": ["/AZaz09-._~", "/AZaz09-._~"],
      "/a%2fb%3c": ["/a%2Fb%3C", "/a%2Fb%3C"],
      "/:?#[]@!$&'()*+,;=": ["/:?#[]@!$&'()*+,;=", "/:?#[]@!$&'()*+,;="],
      '/ "<>^`{|}\u007f': ["/%20%22%3C%3E%5E%60%7B%7C%7D%7F", "/%20%22%3C%3E%5E%60%7B%7C%7D%7F"],
      "/é/😀": ["/%C3%A9/%F0%9F%98%80", "/%C3%A9/%F0%9F%98%80"],
      "/100%/%zz/%2%65": ["/100%25/%25zz/%252e", "/100%25/%25zz/%252e"],
    };
    for (const [path, normalized] of Object.entries(paths)) {
      assert.deepEqual(
        types.map((type) => normalizePath(path, type)),
        normalized,
        path,
      );
    }
  });

  test("rules see the path as it came where the scope is none", () => {
    for (const type of types) {
      assert.equal(incomingPath("/a/../%62", { type, scope: "none" }), "/a/../%62");
      for (const scope of ["incoming", "both"] as const) {
        assert.equal(incomingPath("/a/../%62", { type, scope }), "/b");
      }
    }
  });

  test("what is normal has no dot segments, only characters of paths, and is the result of another run", () => {
    const unit = fc.constantFrom(
      "/",
      "/",
      ".",
      "..",
      "%2e",
      "%2F",
      "%41",
      "%c3",
      "\\",
      "a",
      "é",
      "%",
      "?",
      " ",
    );
    fc.assert(
      fc.property(fc.string({ unit }), fc.constantFrom(...types), (text, type) => {
        const path = normalizePath(`/${text}`, type);
        assert.match(path, /^\/[A-Za-z0-9._~:/?#[\]@!$&'()*+,;=%-]*$/);
        assert.ok(!path.split("/").some((segment) => segment === "." || segment === ".."));
        if (type === "cloudflare") assert.doesNotMatch(path, /.\/\//);
        assert.equal(normalizePath(path, type), path);
      }),
      { numRuns: 2_000 },
    );
  });
});
