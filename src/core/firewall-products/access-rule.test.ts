import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { requestOf } from "../../../test/support/request-context.ts";
import { accessRuleStages, placesOf, type AccessRule } from "./access-rule.ts";

const rule = (id: string, target: AccessRule["target"], value: string, mode: AccessRule["mode"]) => ({
  id,
  target,
  value,
  mode,
  notes: "",
});

function judgedBy(rules: readonly AccessRule[], address: string, known: Record<string, unknown> = {}) {
  const request = requestOf("https://example.com/", { address, known });
  return accessRuleStages(rules).flatMap(({ product, judge }) => {
    const verdict = judge(request);
    return verdict === undefined ? [] : [{ product, ...verdict }];
  });
}

describe("access rules", () => {
  const cases = [
    ["192.0.2.7", ["ip 192.0.2.7", "ip_range 192.0.2.0/24", "ip_range 192.0.0.0/16"]],
    [
      "2001:DB8:1:2::7",
      [
        "ip6 2001:db8:1:2::7",
        "ip_range 2001:db8:1:2::/64",
        "ip_range 2001:db8:1::/48",
        "ip_range 2001:db8::/32",
      ],
    ],
    ["no address", []],
  ] as const;
  for (const [address, expected] of cases) {
    test(`may name these places for ${address}, the most specific first`, () => {
      const places = placesOf({ address, asn: 64_496, country: "de" });
      assert.deepEqual(
        places.map(({ target, value }) => `${target} ${value}`),
        [...expected, "asn AS64496", "country DE"],
      );
    });
  }

  const range = rule("range", "ip_range", "192.0.2.0/24", "block");
  const ofCountry = rule("country", "country", "DE", "managed_challenge");
  const ofSystem = rule("system", "asn", "AS64496", "js_challenge");
  const known = { "ip.src.country": "DE", "ip.src.asnum": 64_496 };
  const verdicts = [
    ["the most specific place decides", [ofCountry, ofSystem, range], "range", "ipRange", "block"],
    ["a number of a system before a country", [ofCountry, ofSystem], "system", "asn", "js_challenge"],
    ["a country where nothing else is known", [ofCountry], "country", "country", "managed_challenge"],
    [
      "the nearest scope of those about one place",
      [rule("near", "ip", "192.0.2.7", "challenge"), rule("far", "ip", "192.0.2.7", "block")],
      "near",
      "ip",
      "challenge",
    ],
    [
      "one that allows before all others",
      [rule("block", "ip", "192.0.2.7", "block"), range, rule("allow", "country", "DE", "whitelist")],
      "allow",
      "country",
      "allow",
    ],
  ] as const;
  for (const [title, rules, ruleId, product, action] of verdicts) {
    test(`one rule decides: ${title}`, () => {
      const judged = judgedBy(rules, "192.0.2.7", known);
      assert.deepEqual(
        judged.map((verdict) => [verdict.ruleId, verdict.product, verdict.action]),
        [[ruleId, product, action]],
      );
    });
  }

  test("a rule about another place judges nothing, and who is allowed by country meets the managed rules", () => {
    assert.deepEqual(judgedBy([range, ofCountry], "198.51.100.1"), []);
    const skipsOf = (one: AccessRule) => judgedBy([one], "192.0.2.7", known)[0]?.skips;
    const byCountry = [
      "http_request_firewall_custom",
      "uaBlock",
      "bic",
      "securityLevel",
      "http_ratelimit",
      "http_request_sbfm",
    ];
    assert.deepEqual(skipsOf({ ...ofCountry, mode: "whitelist" }), byCountry);
    const all = [...byCountry, "http_request_firewall_managed", "waf"];
    for (const one of [range, ofSystem]) assert.deepEqual(skipsOf({ ...one, mode: "whitelist" }), all);
    assert.deepEqual(skipsOf(range), []);
  });
});
