import assert from "node:assert/strict";
import { describe, test } from "node:test";

import * as fc from "fast-check";

import { encodeText } from "../core/expression/byte-string.ts";
import { PatternError } from "../core/expression/engines.ts";
import { createRegexEngine } from "./engines.ts";

const engine = createRegexEngine();

function isMatch(pattern: string, bytes: string): boolean {
  const regex = engine.compile(pattern);
  try {
    return regex.isMatch(bytes);
  } finally {
    regex.free();
  }
}

/** The same in V8, for patterns that mean the same there; never for those of users. */
function isMatchInV8(pattern: string, bytes: string): boolean {
  const flags = pattern.startsWith("(?i)") ? "i" : "";
  return new RegExp(pattern.replace("(?i)", ""), flags).test(bytes);
}

const atom = fc.constantFrom(
  "a", "b", "[a-c]", "[^a]", ".", String.raw`\d`, String.raw`\D`, String.raw`\w`, String.raw`\W`, String.raw`\b`,
  String.raw`[\w-]`, String.raw`[\W\d]`, "(?:ab|c)", String.raw`\xe9`, String.raw`[\x80-\xff]`, "^", "$",
); // prettier-ignore
const times = fc.constantFrom("", "", "", "*", "+", "?", "{2}", "{1,3}");
const pattern = fc
  .array(fc.tuple(atom, times), { maxLength: 6 })
  .map((parts) => parts.map(([one, count]) => (/^(?:\^|\$|\\b)$/.test(one) ? one : one + count)).join(""));
const octet = fc.constantFrom(
  "a",
  "b",
  "c",
  "Z",
  "_",
  "-",
  " ",
  "0",
  "7",
  "\u00e9",
  "\u00ff",
  "\u0080",
  "\0",
);
const haystack = fc.string({ unit: octet, maxLength: 12 });

describe("regular expressions", () => {
  test("find in octets what patterns without Unicode mean", () => {
    fc.assert(
      fc.property(pattern, haystack, (text, bytes) => {
        assert.equal(isMatch(text, bytes), isMatchInV8(text, bytes));
      }),
      { numRuns: 2000 },
    );
  });

  test("that backtracking engines never finish take time in proportion to the text", () => {
    const hostile = [
      "^(a+)+$",
      "^(a|a)*$",
      "(a*)*b",
      "^(a?){50}a{50}$",
      "(x+x+)+y",
      "^(([a-z])+.)+[A-Z]([a-z])+$",
    ];
    for (const text of hostile) {
      const began = performance.now();
      assert.equal(isMatch(text, `${"a".repeat(50_000)}!`), false, text);
      assert.equal(isMatch(text, `${"x".repeat(50_000)}!`), false, text);
      // Far above what linear time needs on a busy machine; backtracking would take ages.
      assert.ok(performance.now() - began < 10_000, text);
    }
  });

  test("with Unicode turned on see text, and octets that are none as U+FFFD", () => {
    assert.equal(isMatch(String.raw`(?u)^\p{Greek}{2}$`, encodeText("αβ")), true);
    assert.equal(isMatch("(?u)^.$", "\u00ff"), true);
    assert.equal(isMatch("(?u)^\u{fffd}$", "\u00ff"), true);
    assert.equal(isMatch("^..$", encodeText("é")), true);
  });

  test("replace the first match, with what groups hold", () => {
    const regex = engine.compile("(a)(x)?");
    assert.equal(regex.replaceFirst("bab\u00ffa", "[${1}${2}$$]"), "b[a$]b\u00ffa");
    assert.equal(regex.replaceFirst("b", "x"), "b");
    regex.free();
    const unicode = engine.compile("(?u)é");
    assert.equal(unicode.replaceFirst(encodeText("é"), encodeText("ç")), encodeText("ç"));
    unicode.free();
  });

  test("that are none are refused in the words of the engine, of the pattern that was written", () => {
    for (const text of ["(", "[a", "a{2", "*", String.raw`\d(`, String.raw`[\d`, "é("]) {
      assert.throws(
        () => engine.compile(text),
        (error) =>
          error instanceof PatternError && error.message.startsWith(`regex parse error:\n    ${text}\n`),
        text,
      );
    }
  });

  test("any text is a pattern or a PatternError", () => {
    const part = fc.constantFrom(
      "(", ")", "[", "]", "[^", "{", "}", "{2}", ",", "a", "é", "\\", "\\x", "\\x{e9}", "\\u", "\\p{L}", "\\d", "\\b", "(?", "(?x)",
      "(?u)", "(?-u)", "(?i-u:", ":", "#", "\n", " ", "*", "+", "?", "|", "^", "$", ".", "-", "&&", "[:alpha:]", "(?P<", "<n>",
    ); // prettier-ignore
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        try {
          engine.compile(parts.join("")).free();
        } catch (error) {
          assert.ok(error instanceof PatternError, String(error));
        }
      }),
      { numRuns: 3000 },
    );
  });

  test("must not be used after they are freed, and are freed once", () => {
    const regex = engine.compile("a");
    regex.free();
    regex.free();
    assert.throws(() => regex.isMatch("a"), /was freed/);
  });

  test("give back what they took: thousands of compilations and long texts do not add up", () => {
    const kept = engine.compile("^/kept/[0-9]+$");
    const before = process.memoryUsage().rss;
    for (let n = 0; n < 3000; n += 1) {
      const regex = engine.compile(String.raw`(?i)union\s+select [a-z]{40}` + n);
      regex.isMatch("union select ".repeat(200));
      regex.free();
    }
    // Without, these would take 900 MB.
    assert.ok(process.memoryUsage().rss - before < 400 * 1024 * 1024);
    assert.equal(kept.isMatch("/kept/17"), true);
    kept.free();
  });

  test("say what memory they take, which is no less than what they do take", () => {
    const patterns = [
      "a.{700}c",
      "(?i)[a-z]{300}",
      String.raw`(?u)\p{L}{8}`,
      "(a|b|c){900}",
      "(foo|bar).*qux",
    ];
    const before = process.memoryUsage().arrayBuffers + process.memoryUsage().external;
    const compiled = patterns.flatMap((text) =>
      Array.from({ length: 10 }, (_, index) => engine.compile(`${text}${index}`)),
    );
    const taken = process.memoryUsage().arrayBuffers + process.memoryUsage().external - before;
    const said = compiled.reduce((sum, { octets }) => sum + octets, 0);
    for (const regex of compiled) regex.free();
    // An instance has some megabytes of its own, and its memory grows in large steps.
    assert.ok(taken <= said * 1.25 + 16 * 1024 * 1024, `${taken} octets, ${said} said`);
  });
});
