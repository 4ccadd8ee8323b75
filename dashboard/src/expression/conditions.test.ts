import assert from "node:assert/strict";
import { test } from "node:test";

import { parseExpression } from "../../../src/core/expression/parse.ts";
import { printConditions } from "./conditions.ts";
import { readConditions } from "./read-conditions.ts";

/** The text that the builder makes of the conditions that it reads in a text; undefined where it reads none. */
function rewritten(source: string): string | undefined {
  const groups = readConditions(parseExpression(source));
  return groups && printConditions(groups);
}

test("an expression of alternatives of conditions is read, and printed as one that says the same", () => {
  for (const source of [
    'http.host eq "example.com"',
    'http.host eq "a" and ssl or not ssl',
    '(http.host eq "a" and ip.src in {192.0.2.0/24 2001:db8::1}) or http.request.method eq "PUT"',
    'starts_with(http.request.uri.path, "/api/") and not ends_with(http.request.uri.path, ".js")',
    'not http.user_agent contains "bot" and cf.threat_score ge 10',
    'any(http.request.headers["x-key"][*] eq "1")',
    'all(http.request.uri.args.values[*] contains "x")',
    'any(starts_with(http.request.cookies["a"][*], "b"))',
    "ip.src in $blocked or not ip.src.asnum in {1..5 7}",
    'lower(http.host) wildcard "*.example.com"',
    'http.host eq "quote \\" and ü"',
  ]) {
    const text = rewritten(source);
    assert.ok(text !== undefined, source);
    assert.deepEqual(
      readConditions(parseExpression(text)),
      readConditions(parseExpression(source)),
      `${source} became ${text}`,
    );
  }
  assert.equal(rewritten('((http.host eq "a") and (ssl))'), 'http.host eq "a" and ssl');
});

test("a pattern that would have to be escaped is printed raw", () => {
  assert.equal(rewritten(String.raw`http.host matches "a\.b"`), String.raw`http.host matches r"a\.b"`);
  assert.equal(
    rewritten(String.raw`http.host matches r##"a"#b"##`),
    String.raw`http.host matches r##"a"#b"##`,
  );
});

test("what rows of conditions cannot say is not read", () => {
  for (const source of [
    "ssl xor ssl",
    '(ssl or http.host eq "a") and ssl',
    'not (ssl and http.host eq "a")',
    "true",
    "not not ssl",
    'not http.host eq "a"',
    'any(not http.request.headers["a"][*] contains "b")',
    "cf.threat_score & 4",
    "http.host eq 61:62",
  ])
    assert.equal(rewritten(source), undefined, source);
});
