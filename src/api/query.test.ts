import assert from "node:assert/strict";
import { before, describe, test } from "node:test";

import * as fc from "fast-check";

import { onComparedEngines, startTestApp, type TestApp } from "../../test/support/harness.ts";
import { suiteContext } from "../../test/support/suite-context.ts";
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

  test("a bracket that is not closed stays, and the one in it is read", () => {
    assert.deepEqual({ ...parseQuery("a[b[c]=1&[[d]]=2") }, { "a[b.c": "1", "[.d]": "2" });
  });

  test("encoded text is decoded as it was", () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }).filter((name) => !/[[\]]/.test(name)),
          fc.string({ unit: "grapheme", maxLength: 20 }),
          { maxKeys: 20 },
        ),
        (parameters) => {
          const text = new URLSearchParams(Object.entries(parameters)).toString();
          assert.deepEqual(Object.entries(parseQuery(text)), Object.entries(parameters));
        },
      ),
    );
  });
});

onComparedEngines("queries", (engine) => {
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

  test("a query that is too long or has too many parameters is refused before the body is read, and nothing changes", async () => {
    const parameters = (count: number): string =>
      Array.from({ length: count }, (_, at) => `p${at}=1`).join("&");
    const cases: readonly (readonly [query: string, status: number, code: number, message: string])[] = [
      [parameters(101), 400, 1003, "Invalid query: must have at most 100 parameters"],
      [
        `${"n".repeat(257)}=1`,
        400,
        1003,
        "Invalid query: the name of a parameter must have at most 256 characters",
      ],
      [`a=${"x".repeat(8_191)}`, 414, 10414, "Query exceeds 8192 characters"],
      ["[".repeat(8_193), 414, 10414, "Query exceeds 8192 characters"],
    ];
    for (const [query, status, code, message] of cases) {
      for (const method of ["GET", "POST"]) {
        const answer = await app.request(method, `/zones?${query}`, {
          ...(method === "POST" && { body: { name: "example.com" } }),
        });
        assert.equal(answer.status, status, answer.text);
        assert.deepEqual(answer.body.errors, [{ code, message }]);
      }
    }
    assert.equal((await app.request("GET", "/zones")).body.result_info?.total_count, 0);
    for (const query of [parameters(100), `${"n".repeat(256)}=1`, `a=${"x".repeat(8_190)}`]) {
      assert.equal((await app.request("GET", `/zones?${query}`)).status, 200);
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
