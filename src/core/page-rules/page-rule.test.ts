import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { requestOf } from "../../../test/support/request-context.ts";
import type { PageRuleAction } from "./actions.ts";
import { pageRuleStage } from "./page-rule.ts";
import { parseUrlPattern } from "./url-pattern.ts";

function ruleOf(url: string, actions: readonly PageRuleAction[], isActive = true) {
  const pattern = parseUrlPattern(url, "example.com");
  assert.ok(!(pattern instanceof Error), url);
  return { id: url, url, pattern, actions, isActive };
}

const forwarding = (url: string): PageRuleAction[] => [
  { id: "forwarding_url", value: { url, status_code: 302 } },
];

describe("the page rules of a zone", () => {
  test("forward to what their asterisks stood for", () => {
    const cases: readonly (readonly [pattern: string, target: string, url: string, location: string])[] = [
      ["example.com/a", "https://example.org/", "http://example.com/a?q=1", "https://example.org/"],
      ["example.com/*", "https://example.org/$1", "http://example.com/a/b", "https://example.org/a/b"],
      ["example.com/*", "https://example.org/$1", "http://example.com/a?q=1", "https://example.org/a?q=1"],
      ["*.example.com/*", "https://$1.org/$2", "http://shop.example.com/x", "https://shop.org/x"],
      ["example.com/*/*/end", "https://e.org/$2/$1", "http://example.com/a/b/c/end", "https://e.org/b/c/a"],
      ["example.com/*?id=*", "https://e.org/$1/$2$3", "http://example.com/p?id=7", "https://e.org/p/7"],
      ["example.com/*a", "https://e.org/$1", "http://example.com/aaa", "https://e.org/aa"],
    ];
    for (const [pattern, target, url, location] of cases) {
      const verdict = pageRuleStage([ruleOf(pattern, forwarding(target))])?.choosePageRule(requestOf(url));
      assert.deepEqual(verdict?.redirect, { status: 302, location }, `${pattern} ${url}`);
    }
  });

  test("lead to HTTPS what came by HTTP, but for what certificate authorities ask for", () => {
    const stage = pageRuleStage([ruleOf("*example.com/*", [{ id: "always_use_https" }])]);
    const locationOf = (url: string) => stage?.choosePageRule(requestOf(url))?.redirect?.location;
    assert.equal(locationOf("http://www.example.com/a?b=c"), "https://www.example.com/a?b=c");
    assert.equal(locationOf("https://www.example.com/a?b=c"), undefined);
    assert.equal(locationOf("http://www.example.com/.well-known/acme-challenge/t"), undefined);
  });

  test("act one at a time: the first active one that matches", () => {
    const stage = pageRuleStage([
      ruleOf("example.com/a", [{ id: "ssl", value: "full" }], false),
      ruleOf("example.com/a", [{ id: "host_header_override", value: "inner.example.com" }]),
      ruleOf("example.com/*", [
        { id: "ssl", value: "strict" },
        { id: "resolve_override", value: "other.example.com" },
        { id: "cache_level", value: "bypass" },
      ]),
    ]);
    const one = stage?.choosePageRule(requestOf("http://example.com/a"));
    assert.deepEqual([one?.route, one?.configuration], [{ host_header: "inner.example.com" }, {}]);
    const other = stage?.choosePageRule(requestOf("http://example.com/b"));
    assert.deepEqual(
      [other?.route, other?.configuration],
      [{ origin: { host: "other.example.com" } }, { ssl: "strict" }],
    );
    assert.equal(stage?.choosePageRule(requestOf("http://www.example.com/a")), undefined);
    assert.equal(pageRuleStage([ruleOf("example.com/a", [{ id: "always_use_https" }], false)]), undefined);
  });
});
