import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as fc from "fast-check";
import type { Issue } from "../validate/rules.ts";
import type { Exchange } from "./exchange.ts";
import { answeredMatchCheck, compileMatch } from "./match.ts";
import { PathIndex, compilePath, pathDistance } from "./path-pattern.ts";

const exchange: Exchange = {
  listener: "api",
  operation: "createZone",
  method: "POST",
  path: "/client/v4/zones",
  zone: undefined,
  token: "a".repeat(32),
  headers: { "x-run": "7" },
  at: Date.parse("2030-01-01T00:00:00Z"),
  status: 200,
};

const matches = (match: object): boolean => compileMatch(match).matches(exchange);

const segment = fc.stringMatching(/^[a-z0-9]{1,6}$/);
const path = fc.array(segment, { minLength: 1, maxLength: 6 }).map((segments) => `/${segments.join("/")}`);

describe("a match", () => {
  test("holds where every part of it holds, and says which part does not", () => {
    for (const [match, missed] of [
      [{}, []],
      [{ listener: "api", operation: "createZone", method: "POST", status: 200 }, []],
      [{ method: ["GET", "POST"], path: "/client/v4/*", header: { "X-Run": "7" } }, []],
      [{ header: { "x-run": "*" }, between: { from: "2030-01-01T00:00:00Z" } }, []],
      [{ header: { "x-other": "*" } }, ["header"]],
      [{ between: { to: "2030-01-01T00:00:00Z" } }, ["between"]],
      [
        { operation: "deleteZone", method: "DELETE", path: "/client/v4/zones/*" },
        ["operation", "method", "path"],
      ],
      [{ token: "b".repeat(32), zone: "c".repeat(32), status: 404 }, ["zone", "token", "status"]],
    ] as const) {
      assert.equal(matches(match), missed.length === 0);
      assert.deepEqual(
        compileMatch(match)
          .misses(exchange)
          .map(({ part }) => part),
        missed,
      );
    }
  });

  test("is refused with every error and its place", () => {
    const issues: Issue[] = [];
    const wrong = {
      listener: "mail",
      method: ["get", 1],
      operation: "craeteZone",
      path: "zones",
      zone: "x",
      header: { a: 1 },
      colour: 1,
    };
    answeredMatchCheck(new Set(["createZone"]))(
      { ...wrong, between: { from: "yesterday", until: 1 }, status: "200" },
      "/match",
      issues,
    );
    assert.deepEqual(
      issues.map(({ pointer }) => pointer),
      [
        "/match/listener",
        "/match/method/0",
        "/match/method/1",
        "/match/operation",
        "/match/path",
        "/match/zone",
        "/match/header/a",
        "/match/colour",
        "/match/between/from",
        "/match/between/until",
        "/match/status",
      ],
    );
  });

  test("any JSON is either accepted or refused with a place in it", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const issues: Issue[] = [];
        answeredMatchCheck(new Set(["createZone"]))(value, "", issues);
        if (issues.length === 0) compileMatch(value as object).misses(exchange);
        for (const { pointer, rule } of issues) assert.ok(/^(?:\/.*)?$/s.test(pointer) && rule !== "");
      }),
    );
  });
});

describe("a pattern of paths", () => {
  test("matches the path that it was made from, with any of its segments replaced by a wildcard", () => {
    fc.assert(
      fc.property(path, fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }), (text, replaced) => {
        const pattern = text
          .slice(1)
          .split("/")
          .map((each, index) => (replaced[index] === true ? (index % 2 === 0 ? "*" : "{id}") : each))
          .join("/");
        assert.ok(compilePath(`/${pattern}`)(text));
        assert.ok(compilePath(`/${pattern}`)(`${text}/`));
        assert.ok(!compilePath(`/${pattern}`)(`${text}/more`));
        assert.ok(compilePath(`/${pattern}/**`)(`${text}/even/more`));
        assert.equal(pathDistance(`/${pattern}`, text), 0);
      }),
    );
  });

  test("is found in an index by every path that follows it, and by no other", () => {
    const piece = fc.constantFrom("a", "b", "*", "{id}");
    const pattern = fc
      .tuple(fc.array(piece, { maxLength: 4 }), fc.boolean())
      .map(([pieces, isOpen]) => `/${[...pieces, ...(isOpen ? ["**"] : [])].join("/")}`);
    const few = fc
      .array(fc.constantFrom("a", "b", "c"), { maxLength: 5 })
      .map((parts) => `/${parts.join("/")}`);
    fc.assert(
      fc.property(fc.array(pattern, { maxLength: 20 }), few, (patterns, text) => {
        const index = new PathIndex<string>();
        for (const each of patterns) index.add(each, each);
        const expected = patterns.filter((each) => compilePath(each)(text));
        assert.deepEqual(index.find(text).toSorted(), expected.toSorted());
      }),
    );
  });
});
