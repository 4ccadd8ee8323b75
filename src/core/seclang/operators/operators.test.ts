import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as fc from "fast-check";
import { matchingIds, requestOf } from "../../../../test/support/rules.ts";
import { hasGroup, LiteralFilter } from "./literal-filter.ts";
import { Phrases } from "./compile-operator.ts";

function isMatch(operator: string, value: string): boolean {
  const request = requestOf({ headers: [{ name: "X", value }] });
  return matchingIds(`SecRule REQUEST_HEADERS:X "${operator}" "id:1,phase:1"`, request).length > 0;
}

const cases: readonly (readonly [operator: string, matching: string, other: string])[] = [
  ["^a", "ab", "ba"],
  ["@rx ^[^[]$", "a", "["],
  ["@rx a{2}b{,3}", "aab{,3}", "aab"],
  [String.raw`@rx ^\<a\'\-\/$`, "<a'-/", "a"],
  [String.raw`@rx ^[\b]$`, "\b", "b"],
  ["@rx ^.$", "\n", "ab"],
  ["@rx a$", "a", "a\n"],
  [String.raw`@rx ^\xe9\x{e9}$`, "\u00e9\u00e9", "e"],
  ["@rx a++b", "aab", "a"],
  ["@rx a(?!b)", "ac", "ab"],
  ["@pm one two", "A TWO b", "tw o"],
  ["@streq a", "a", "A"],
  ["@contains a", "bab", "b"],
  ["@containsWord or", "1 OR 1", "for"],
  ["@beginsWith a", "ab", "ba"],
  ["@endsWith a", "ba", "ab"],
  ["@within GET HEAD", "HEAD", "POST"],
  ["!@within GET HEAD", "POST", "GET"],
  ["@eq 3", "3", "30"],
  ["@lt 3", "2", "3"],
  ["@ge 3", "3", "x"],
  ["@validateByteRange 32-126", "\u00e9", "e"],
  ["@validateUrlEncoding", "%4", "%41"],
  ["@validateUtf8Encoding", "\u00e9", "\u00c3\u00a9"],
  ["@ipMatch 192.0.2.0/24,2001:db8::/32", "2001:db8::1", "192.0.3.1"],
  ["@unconditionalMatch", "a", ""],
];

describe("operators", () => {
  for (const [operator, matching, other] of cases) {
    test(`${operator} matches ${JSON.stringify(matching)}, not ${JSON.stringify(other)}`, () => {
      assert.equal(isMatch(operator, matching), true);
      // An empty value is all that the one without conditions is not asked about.
      if (other !== "") assert.equal(isMatch(operator, other), false);
    });
  }

  test("variables in a pattern stand for what they hold", () => {
    const rules = `
      SecAction "id:1,phase:1,setvar:tx.allowed=utf-8|latin1"
      SecRule REQUEST_HEADERS:X "!@rx ^(?:%{tx.allowed})$" "id:2,phase:1"`;
    const ids = (value: string): number[] =>
      matchingIds(rules, requestOf({ headers: [{ name: "X", value }] }));
    assert.deepEqual([ids("utf-8"), ids("koi8-r")], [[1], [1, 2]]);
  });
});

const text = fc.string({ unit: fc.constantFrom(...Array.from("abcABC .]")), maxLength: 10 });

describe("what spares patterns", () => {
  const phrases = fc.array(
    fc.string({ unit: fc.constantFrom(...Array.from("abc ")), minLength: 1, maxLength: 4 }),
    {
      maxLength: 6,
    },
  );

  test("a filter finds the groups of texts that a value has, whatever the case", () => {
    fc.assert(
      fc.property(fc.array(phrases, { minLength: 1, maxLength: 5 }), text, (groups, value) => {
        const expected = groups.flatMap((group, index) =>
          group.some((phrase) => value.toLowerCase().includes(phrase)) ? [index] : [],
        );
        const found = new LiteralFilter(groups).scan(value);
        assert.deepEqual(
          Array.from(groups.keys()).filter((group) => hasGroup(found, group)),
          expected,
        );
      }),
      { numRuns: 2000 },
    );
  });

  test("phrases find one that the value has, as it stands there", () => {
    fc.assert(
      fc.property(phrases, text, (list, value) => {
        const found = new Phrases(list).find(value);
        if (found === undefined) assert.ok(!list.some((phrase) => value.toLowerCase().includes(phrase)));
        else assert.ok(value.includes(found) && list.includes(found.toLowerCase()));
      }),
      { numRuns: 2000 },
    );
  });
});
