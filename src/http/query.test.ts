import assert from "node:assert/strict";
import { before, describe, test } from "node:test";

import * as fc from "fast-check";

import { onEachEngine, startTestApp, type TestApp } from "../../test/harness.ts";
import { suiteContext } from "../../test/suite-context.ts";
import { parseQuery } from "./query.ts";

describe("parseQuery", () => {
  test("dots and brackets say the same, and a parameter said more than once is one list", () => {
    const cases: readonly (readonly [text: string, query: Record<string, string>])[] = [
      ["", {}],
      ["page=2", { page: "2" }],
      ["page", { page: "" }],
      ["account.id=1", { "account.id": "1" }],
      ["account[id]=1", { "account.id": "1" }],
      ["account%5Bid%5D=1", { "account.id": "1" }],
      ["a[b][c]=1", { "a.b.c": "1" }],
      ["type[]=A&type[]=MX", { type: "A,MX" }],
      ["type=A&type=MX&type=NS", { type: "A,MX,NS" }],
      ["account.id=1&account[id]=2", { "account.id": "1,2" }],
      ["a=1&&b=2&", { a: "1", b: "2" }],
      ["a=b=c", { a: "b=c" }],
      ["a=x+y%20z", { a: "x y z" }],
      ["a=%zz&b=%", { a: "%zz", b: "%" }],
      ["a=%C3%BC", { a: "ü" }],
      ["a[b=1&c]=2", { "a[b": "1", "c]": "2" }],
    ];
    for (const [text, query] of cases) assert.deepEqual({ ...parseQuery(text) }, query, text);
  });

  test("no name reaches a prototype", () => {
    const query = parseQuery("__proto__=x&constructor=y");
    assert.equal(Object.getPrototypeOf(query), null);
    assert.deepEqual(Object.keys(query), ["__proto__", "constructor"]);
  });

  test("what a client encodes comes out as it was", () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.string({ unit: "grapheme", minLength: 1 }).filter((name) => !/[[\]]/.test(name)),
          fc.string({ unit: "grapheme" }),
        ),
        (parameters) => {
          const text = new URLSearchParams(Object.entries(parameters)).toString();
          assert.deepEqual(Object.entries(parseQuery(text)), Object.entries(parameters));
        },
      ),
    );
  });
});

onEachEngine("queries", (engine) => {
  const suite = suiteContext();
  let app: TestApp;
  before(async () => {
    app = await startTestApp(suite, engine);
  });

  test("unknown parameters are ignored, whatever they hold", async () => {
    for (const query of ["?nothing=1", "?a[b]=1&a.b=2", "?%00=%00", "?=&&", "?%zz", "?request_id=%00"]) {
      const { status, text } = await app.request("GET", `/zones${query}`);
      assert.equal(status, 200, `${query}: ${text}`);
    }
  });

  test("U+0000, which no store can look for, is refused where a filter would use it", async () => {
    const cases = [
      ["/zones?name=a%00b", "name"],
      ["/zones?name=contains:%00", "name"],
      ["/zones?account.id=%00", "account.id"],
      ["/zones?account[name]=%00", "account.name"],
      ["/accounts?name=%00", "name"],
      ["/memberships?account.name=%00", "account.name"],
      ["/memberships?name=%00", "name"],
    ] as const;
    for (const [path, parameter] of cases) {
      const { status, body } = await app.request("GET", path);
      assert.equal(status, 400, path);
      assert.deepEqual(body.errors, [
        {
          code: 1003,
          message: `Invalid query parameter \`${parameter}\`: must not hold the character U+0000`,
          source: { pointer: `/${parameter}` },
        },
      ]);
    }
  });
});
