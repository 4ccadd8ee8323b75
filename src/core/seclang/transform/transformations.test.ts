import assert from "node:assert/strict";
import { describe, test } from "node:test";

import * as fc from "fast-check";

import { transformations } from "./chain.ts";

/** Examples that follow from what ModSecurity's manual says of each. */
const examples: readonly (readonly [name: string, input: string, output: string])[] = [
  ["lowercase", "AbÀ", "abÀ"],
  ["urlDecode", "a+b%41%zz%2", "a bA%zz%2"],
  ["urlDecodeUni", "%u0041%uff1c%u%41", "A<%uA"],
  ["htmlEntityDecode", "&ltjavascript:", "<javascript:"],
  ["htmlEntityDecode", "&lt;&#60;&#x3C&quot;&nbsp;&foo;", '<<<"\u00a0&foo;'],
  ["jsDecode", String.raw`\x41\u0042\103\n\'`, "ABC\n'"],
  ["cssDecode", String.raw`\41 b\000043\a`, "AbC\n"],
  ["cssDecode", "a\\\nb\\x\\", "abx"],
  ["escapeSeqDecode", String.raw`\x41\102\n\q`, "AB\n\\q"],
  ["utf8toUnicode", "aÃ©â\u0082¬", "a%u00e9%u20ac"],
  ["base64Decode", "YWJj", "abc"],
  ["base64Decode", "YWI", "ab"],
  ["base64Decode", "YWJj;YWJj", "abc"],
  ["hexEncode", "a\u00ff", "61ff"],
  ["hexDecode", "61ff6", "a\u00ff"],
  ["cmdLine", String.raw`C:\W"i"n^d /c;,  'X' (a)`, "c:wind/c x(a)"],
  ["compressWhitespace", "a \t\u00a0 b", "a b"],
  ["removeWhitespace", "a \n b", "ab"],
  ["removeNulls", "a\0b", "ab"],
  ["replaceComments", "a/* x */b/*", "a b "],
  ["removeCommentsChar", "a/*b*/c--d#e", "abcde"],
  ["normalisePath", "/a/./b//../c/", "/a/c/"],
  ["normalisePath", "../../a/../b", "../../b"],
  ["normalisePath", "/../etc/passwd", "/etc/passwd"],
  ["normalisePath", "/etc/a...", "/etc/a..."],
  ["normalizePathWin", String.raw`a\b\..\c`, "a/c"],
  ["length", "abc", "3"],
];

describe("transformations", () => {
  for (const [name, input, output] of examples) {
    test(`${name} of ${JSON.stringify(input)}`, () => {
      assert.equal(transformations.get(name.toLowerCase())?.(input), output);
    });
  }

  test("of any octets are octets, and no longer than six times these", () => {
    const octets = fc.string({
      unit: fc.constantFrom(...Array.from("aA%u0\\x41&#;/*.-+ \0\u00c3\u00a9\u00ff")),
      maxLength: 60,
    });
    fc.assert(
      fc.property(fc.constantFrom(...transformations.keys()), octets, (name, bytes) => {
        const result = transformations.get(name)?.(bytes) ?? "";
        // oxlint-disable-next-line no-control-regex -- octets, not text
        assert.match(result, /^[\0-\xff]*$/);
        assert.ok(result.length <= Math.max(2, 6 * bytes.length));
      }),
      { numRuns: 5000 },
    );
  });
});
