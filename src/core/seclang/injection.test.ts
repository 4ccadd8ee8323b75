import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as fc from "fast-check";
import { isScriptInjection } from "./script-injection/find.ts";
import { findSqlInjection } from "./sql-injection/find.ts";

const sqlInjections: readonly (readonly [value: string, shape: string])[] = [
  ["1 or 1=1", "1&1"],
  ["1 and 1=1", "1&1"],
  ["1 or not 1", "1&1"],
  ["x' or 'x", "s&s"],
  ["' or ''='", "s&sos"],
  ['" or ""="', "s&sos"],
  ["admin'--", "sc"],
  ["1--", "1c"],
  ["1/*", "1c"],
  ["' and 1", "s&1"],
  ["1 union select 1", "1UE1"],
  ["-1' and 1=2 union select 1,2--", "s&1UE"],
  ["1;drop table users", "1;Tnn"],
  ["'; waitfor delay '0:0:5'--", "s;Esc"],
  ["foo')waitfor delay'5:0:20'--", "s)Esc"],
  ["1 order by 5--", "1B1c"],
  ["1' order by 5-- ", "sB1c"],
  ["1)or(1=1", "1)&(1"],
  ["1 and (select 1)", "1&(E1"],
  ["1 and user()", "1&f()"],
  ["1 and sleep(5)", "1&f(1"],
  ["1 /*! union select */ 1", "1X1"],
];

const plainTexts = [
  "1", "1 or 1", "1 and 1", "this and that", "a or b=c", "cat and dog and fish", "it's and that's", "rock 'n' roll",
  "don't or can't", "o'brien and o'neil", "5' 11\"", "select", "select me from the list", "trade union", "join us; select a date",
  "sort order by name", "foo--bar", "C# and F#", "a@example.com", "$5,000.00", "https://example.com/?a=1&b=2", "",
]; // prettier-ignore

describe("@detectSQLi", () => {
  for (const [value, shape] of sqlInjections) {
    test(`finds ${JSON.stringify(value)}`, () => assert.equal(findSqlInjection(value), shape));
  }
  for (const value of plainTexts) {
    test(`leaves ${JSON.stringify(value)} alone`, () => assert.equal(findSqlInjection(value), undefined));
  }
});

const scripts = [
  "<script>alert(1)</script>", "<ScRiPt", "<img src=x onerror=alert(1)>", "<svg/onload=alert(1)>", "<a href=javascript:x>",
  "<a href=' &#106;ava\nscript:x'>", "<a href=&#x6A;avascript:x>", "x onload=alert(1) ", "' onfocus=alert(1) '",
  '" onfocus=alert(1) x="', "` style=x", "<!doctype html>", "<!--[if IE]>", "<?import x>", "<b style=x>", "<scr\0ipt>",
]; // prettier-ignore

const harmless = [
  "a < b and c > d", "<b>bold</b>", "<a href=https://example.com>", "<3", "x = y", "it's online", "one two=three", "<!-- note -->",
  "<p class='x'>", "</p>", "if (a<b) return;", "",
]; // prettier-ignore

describe("@detectXSS", () => {
  for (const value of scripts) {
    test(`finds ${JSON.stringify(value)}`, () => assert.equal(isScriptInjection(value), true));
  }
  for (const value of harmless) {
    test(`leaves ${JSON.stringify(value)} alone`, () => assert.equal(isScriptInjection(value), false));
  }
});

test("both answer for any octets", () => {
  const pieces = fc.constantFrom(
    "'", '"', "`", "<", ">", "=", "/*", "*/", "--", "#", ";", "(", ")", "\\", "\0", "\u00ff", "select", " or ", "1", "a", " ", "<!", "<!--", "]]>",
    "$a$", "@", "[", "{", "}", ".", "0x", "/", "on", "style", "svg",
  ); // prettier-ignore
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 30 }), (parts) => {
      const value = parts.join("");
      assert.ok(["string", "undefined"].includes(typeof findSqlInjection(value)));
      assert.equal(typeof isScriptInjection(value), "boolean");
    }),
    { numRuns: 5000 },
  );
});
