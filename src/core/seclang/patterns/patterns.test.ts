import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as fc from "fast-check";
import { assertLinear } from "../../../../test/support/growth.ts";
import { PatternError } from "../../expression/engines.ts";
import { compileBacktracking, compilePattern } from "./pattern.ts";
import { parsePattern } from "./parse.ts";

const part = fc.constantFrom(
  "a", "b", "ab", "abc", ".", "[ab]", "[^a]", "[a-c]", "(?:ab|c)", "(a|bc)", "(?i:B)", "(?i)", "a?", "b*", "c+", "(?:ab){2}",
  "b{1,3}?", "(?:a|b)+?", "[[:upper:]]", String.raw`\x61`, String.raw`\b`, String.raw`\B`, String.raw`\s`, String.raw`\.`, "|", "^", "$",
  "[]a]", "(?:^|b)", "(?:c|$)",
); // prettier-ignore
const pattern = fc.array(part, { maxLength: 7 }).map((parts) => parts.join(""));
const text = fc.string({ unit: fc.constantFrom(...Array.from("abcABC .]")), maxLength: 12 });

describe("patterns", () => {
  test("match as those of JavaScript do, and find the same text", () => {
    fc.assert(
      fc.property(pattern, text, (written, value) => {
        const { isMatch, find } = compilePattern(written);
        const expected = compileBacktracking(parsePattern(written).root).exec(value);
        assert.equal(isMatch(value), expected !== null);
        assert.equal(find(value)?.[0], expected?.[0]);
      }),
      { numRuns: 5000 },
    );
  });

  test("match the same after they have forgotten their states", () => {
    const { isMatch } = compilePattern("a.{120}b");
    const random = "aabab".repeat(40);
    const texts = Array.from({ length: 200 }, (_, index) => random.slice(index % 7) + "ab".repeat(index));
    for (const value of texts) assert.equal(isMatch(value), /a[^]{120}b/.test(value));
  });

  test("a value that a pattern matches has one of the texts that it requires", () => {
    fc.assert(
      fc.property(pattern, text, (written, value) => {
        const { isMatch, literals } = compilePattern(written);
        if (literals === undefined || !isMatch(value)) return;
        assert.ok(
          literals.some((literal) => value.toLowerCase().includes(literal)),
          `${written} ${literals.join()}`,
        );
      }),
      { numRuns: 3000 },
    );
  });

  test("find what the groups hold, and nothing for those that took no part", () => {
    assert.deepEqual(compilePattern("(a)|(?:b(?:(c)|(d)))+").find("xbcbd"), ["bcbd", undefined, "c", "d"]);
  });

  for (const written of [
    "a(",
    "a)",
    "[a",
    "*a",
    "a{3,2}",
    "[b-a]",
    "(?m)a",
    "(?R)",
    String.raw`\p{L}`,
    String.raw`\q`,
    "(?:a{999}){999}",
  ]) {
    test(`${written} is refused`, () => {
      assert.throws(() => compilePattern(written), PatternError);
    });
  }

  // The patterns that cost engines with backtracking most, and one that needs many states.
  const costly = [
    "(a+)+$",
    "(?:a|a)*b",
    "a.*a.*a.*a.*b",
    "(?:a|b){0,60}a.{20}c",
    "^(?:a?){50}a{50}$",
    String.raw`\ba[^b]*b\b`,
  ];
  for (const written of costly) {
    test(`${written} takes time linear in the text`, async () => {
      const { isMatch, find } = compilePattern(written);
      for (const unit of ["a", "ab", "aab ", "b"]) {
        const input = (length: number): string => unit.repeat(length / unit.length);
        await assertLinear(`${written} in ${unit}`, isMatch, input);
        await assertLinear(`the groups of ${written} in ${unit}`, find, input, { length: 8192, parts: 64 });
      }
    });
  }
});
