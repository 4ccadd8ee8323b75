import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { createRegexEngine } from "../../engines/engines.ts";
import { PatternError } from "./engines.ts";
import { translatePattern } from "./regex-dialect.ts";

const engine = createRegexEngine();

const octet = fc.oneof(fc.integer({ min: 0x61, max: 0x64 }), fc.integer({ min: 0xbe, max: 0xe5 }));
const escape = (code: number): string => String.raw`\x${code.toString(16)}`;
const range = fc
  .tuple(octet, octet)
  .map((ends) => ends.toSorted((one, other) => one - other))
  .map(([first = 0, last = 0]) => `${escape(first)}-${escape(last)}`);
const perlClass = fc.constantFrom(...["d", "D", "w", "W"].map((letter) => `\\${letter}`));
const brackets = fc
  .tuple(fc.constantFrom("", "^"), fc.array(fc.oneof(octet.map(escape), range, perlClass), { minLength: 1 }))
  .map(([negation, items]) => `[${negation}${items.join("")}]`);
const atom = fc
  .tuple(
    fc.oneof(octet.map(escape), brackets, perlClass, fc.constantFrom(".", "(?:ab|c)")),
    fc.constantFrom("", "", "*", "?", "+", "{2}", "*?"),
  )
  .map((parts) => parts.join(""));
const pattern = fc
  .tuple(fc.constantFrom("", "^"), fc.array(atom, { minLength: 1, maxLength: 4 }), fc.constantFrom("", "$"))
  .map(([start, atoms, end]) => start + atoms.join("") + end);
const bytes = fc.array(octet, { maxLength: 12 }).map((codes) => String.fromCharCode(...codes));

test("a pattern over octets finds and replaces what ECMAScript's finds among as many characters", () => {
  fc.assert(
    fc.property(pattern, fc.array(bytes, { minLength: 4 }), (written, haystacks) => {
      const expected = new RegExp(written);
      const regex = engine.compile(written);
      for (const haystack of haystacks) {
        assert.equal(regex.isMatch(haystack), expected.test(haystack));
        assert.equal(regex.replaceFirst(haystack, "<\xe9>"), haystack.replace(expected, "<\xe9>"));
      }
      regex.free();
    }),
    { numRuns: 2000 },
  );
});

test("no octet has another case", () => {
  for (let code = 0x80; code <= 0xff; code += 1) {
    for (const written of [escape(code), `[${escape(code)}]`]) {
      const regex = engine.compile(`(?i)${written}`);
      const found = Array.from({ length: 128 }, (_, index) => 0x80 + index).filter((other) =>
        regex.isMatch(String.fromCharCode(other)),
      );
      regex.free();
      assert.deepEqual(found, [code]);
    }
  }
});

test("a text is translated, or refused, in linear time", () => {
  for (const text of [
    `(?${"u".repeat(400_000)}`,
    `{${" ".repeat(400_000)}`,
    String.raw`\p{`.repeat(130_000),
  ]) {
    const start = performance.now();
    try {
      translatePattern(text);
    } catch (error) {
      assert.ok(error instanceof PatternError);
    }
    const seconds = (performance.now() - start) / 1000;
    // Far above what linear time needs on a busy machine, far below what quadratic time would take.
    assert.ok(seconds < 10, `${text.slice(0, 4)}: ${seconds.toFixed(1)} s`);
  }
});
