import assert from "node:assert/strict";
import { describe, test } from "node:test";

import * as fc from "fast-check";

import { matchesGlob, matchesUrl, parseUrlPattern, type RequestUrl } from "./url-pattern.ts";

function urlOf(text: string): RequestUrl {
  const url = new URL(text);
  const scheme = url.protocol === "https:" ? "https" : "http";
  const port = url.port === "" ? (scheme === "https" ? 443 : 80) : Number(url.port);
  return { scheme, host: url.hostname, port, path: url.pathname, query: url.search.slice(1) };
}

describe("the URL pattern of a page rule", () => {
  test("takes the URLs that its text says", async (t) => {
    const cases: readonly (readonly [pattern: string, url: string, taken: boolean])[] = [
      ["example.com", "http://example.com/", true],
      ["example.com", "https://example.com/", true],
      ["example.com", "https://example.com/a", false],
      ["example.com/*", "https://example.com/a?b=c", true],
      ["*example.com/*", "https://example.com/a", true],
      ["*example.com/*", "https://www.example.com/a", true],
      ["*.example.com/*", "https://example.com/a", false],
      ["*.example.com/*", "https://a.b.example.com/a", true],
      ["https://example.com/*", "http://example.com/a", false],
      ["http://example.com/*", "http://example.com/a", true],
      ["*://EXAMPLE.com/*", "https://example.com/a", true],
      ["example.com:8080/*", "http://example.com:8080/a", true],
      ["example.com:8080/*", "http://example.com/a", false],
      ["example.com/images/*", "https://example.com/images/", true],
      ["example.com/images/*", "https://example.com/images", false],
      ["example.com/*.php", "https://example.com/a/b.php", true],
      ["example.com/*.php", "https://example.com/a/b.php?x", true],
      ["example.com/*?x=*", "https://example.com/a/b.php?x=1", true],
      ["example.com/*?x=*", "https://example.com/a/b.php", false],
      ["example.com/a*b*c", "https://example.com/a1b2c", true],
      ["example.com/a*b*c", "https://example.com/acb", false],
      ["example.com/Path", "https://example.com/path", true],
      ["example.com/path/*?Q=*", "https://example.com/PATH/A?q=B", true],
    ];
    for (const [text, url, taken] of cases)
      await t.test(`${text} ${url}`, () => {
        const pattern = parseUrlPattern(text, "example.com");
        assert.ok(!(pattern instanceof Error), text);
        assert.equal(matchesUrl(pattern, urlOf(url)), taken, `${text} ${url}`);
      });
  });

  test("says what is wrong with what is none", async (t) => {
    const cases: readonly (readonly [string, RegExp])[] = [
      ["", /URL pattern/],
      ["/images/*", /URL pattern/],
      ["ftp://example.com/", /URL pattern/],
      ["example.com/a b", /URL pattern/],
      ["example.org/*", /within the zone/],
      ["notexample.com/*", /within the zone/],
      ["*.com/*", /within the zone/],
      ["*", /within the zone/],
      ["-.example.com/", /host/],
      ["example.com:22/*", /ports/],
      ["*a*.example.com/*/*/*", /asterisks/],
    ];
    for (const [text, message] of cases)
      await t.test(JSON.stringify(text), () => {
        const pattern = parseUrlPattern(text, "example.com");
        assert.ok(pattern instanceof Error, text);
        assert.match(pattern.message, message, text);
      });
  });

  test("is matched as a regular expression would, and in time however the asterisks lie", () => {
    const letters = fc.string({ unit: fc.constantFrom("a", "b", "*"), maxLength: 8 });
    const texts = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 10 });
    fc.assert(
      fc.property(letters, texts, (glob, text) => {
        const naive = new RegExp(`^${glob.replaceAll("*", "[ab]*")}$`);
        assert.equal(matchesGlob(glob, text), naive.test(text), `${glob} ${text}`);
      }),
      { numRuns: 20_000, seed: 5 },
    );
    assert.equal(matchesGlob(`${"*a".repeat(200)}b`, "a".repeat(100_000)), false);
  });
});
