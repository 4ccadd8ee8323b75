import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { parseUrlPattern } from "../page-rules/url-pattern.ts";
import type { ParsedPageRule } from "../page-rules/page-rule.ts";
import type { ManagedRule, PreviousWaf } from "./previous-waf.ts";
import { findWafGroup, owaspPackageId, wafRules } from "./catalogue.ts";
import { judgeByPreviousWaf } from "./judge.ts";

const untouched: PreviousWaf = {
  isOn: true,
  managed: { rules: [] },
  owasp: { sensitivity: undefined, actionMode: "challenge", changedGroups: [], changedRules: [] },
  firewallRules: [],
  pageRules: [],
  overrideIds: [],
};

const scoring = wafRules.find(({ id }) => id === "913100");
assert.ok(scoring);

type Judged = Parameters<typeof judgeByPreviousWaf>[1];

const judge = (previous: Partial<PreviousWaf>, request: Partial<Judged> = {}) =>
  judgeByPreviousWaf(
    { ...untouched, ...previous },
    {
      url: { scheme: "https", host: "www.example.com", port: 443, path: "/a", query: "" },
      isAjax: false,
      bypasses: () => false,
      matches: () => false,
      owaspScores: () => new Map(),
      ...request,
    },
  ).map(({ ruleId, action, score }) => (score === undefined ? [ruleId, action] : [ruleId, action, score]));

const scored = (score: number): Pick<Judged, "owaspScores"> => ({
  owaspScores: () => new Map([[scoring.continuedBy, score]]),
});
const owasp = (rest: Partial<PreviousWaf["owasp"]>) => ({ owasp: { ...untouched.owasp, ...rest } });

describe("judgeByPreviousWaf", () => {
  test("asks rule by rule until one blocks or challenges; what simulates is noted", () => {
    const rule = (id: string, rest: Partial<ManagedRule> = {}): ManagedRule => ({
      id,
      continuedBy: `new ${id}`,
      groupMode: "on",
      mode: "block",
      ...rest,
    });
    const rules = [
      rule("off", { mode: "disable" }),
      rule("off", { mode: "off" }),
      rule("off", { groupMode: "off" }),
      rule("unknown", { mode: "default" }),
      rule("other", { continuedBy: "not matching" }),
      rule("simulating", { mode: "simulate" }),
      rule("100007", { mode: "default" }),
      rule("behind", { mode: "challenge" }),
    ];
    const matches = (id: string): boolean => id.startsWith("new ");
    assert.deepEqual(judge({ managed: { rules } }, { matches, ...scored(100) }), [
      ["simulating", "log"],
      ["100007", "block"],
    ]);
    assert.deepEqual(judge({ managed: { rules: rules.slice(-1) } }, { matches }), [["behind", "challenge"]]);
  });

  test("acts from the sum of each sensitivity on, from a higher one for requests of scripts", () => {
    const cases = [
      [undefined, 25, 65],
      ["high", 25, 65],
      ["medium", 40, 80],
      ["low", 60, 120],
    ] as const;
    for (const [sensitivity, page, ajax] of cases) {
      const previous = owasp({ sensitivity });
      assert.deepEqual(judge(previous, scored(page - 1)), []);
      assert.deepEqual(judge(previous, scored(page)), [["981176", "challenge", page]]);
      assert.deepEqual(judge(previous, { ...scored(ajax - 1), isAjax: true }), []);
      assert.deepEqual(judge(previous, { ...scored(ajax), isAjax: true }), [["981176", "challenge", ajax]]);
    }
    assert.deepEqual(judge(owasp({ sensitivity: "off" }), scored(1_000)), []);
  });

  test("leaves out groups and rules that are off, and counts a rule with two numbers once", () => {
    const all = scored(30);
    assert.deepEqual(judge(owasp({ actionMode: "simulate" }), all), [["981176", "log", 30]]);
    assert.deepEqual(judge(owasp({ actionMode: "block" }), all), [["981176", "block", 30]]);
    assert.deepEqual(judge(owasp({ changedRules: ["981176"] }), all), []);
    const numbers = wafRules.filter(
      ({ packageId, continuedBy }) => packageId === owaspPackageId && continuedBy === scoring.continuedBy,
    );
    assert.ok(numbers.length > 1);
    assert.deepEqual(judge(owasp({ changedRules: numbers.map(({ id }) => id) }), all), []);
    const changedGroups = numbers.map(({ groupId }) => findWafGroup(groupId)?.name ?? "");
    assert.deepEqual(judge(owasp({ changedGroups }), all), []);
  });

  test("is not asked where the setting, the first page rule or a bypass in force says so", () => {
    const pageRule = (url: string, value: "on" | "off", isActive = true): ParsedPageRule => {
      const pattern = parseUrlPattern(url, "example.com");
      assert.ok(!(pattern instanceof Error));
      return { id: url, isActive, pattern, url, actions: [{ id: "waf", value }] };
    };
    const bypass = {
      id: "1",
      description: "",
      action: "bypass" as const,
      products: ["waf"],
      isPaused: false,
      expression: "ssl",
    };
    const asked = (previous: Partial<PreviousWaf>): boolean =>
      judge(previous, { ...scored(100), bypasses: (expression) => expression === "ssl" }).length > 0;
    const all = "*example.com/*";
    assert.equal(asked({}), true);
    assert.equal(asked({ isOn: false }), false);
    assert.equal(asked({ isOn: false, pageRules: [pageRule(all, "on")] }), true);
    assert.equal(asked({ pageRules: [pageRule(all, "off")] }), false);
    assert.equal(asked({ pageRules: [pageRule(all, "off", false)] }), true);
    assert.equal(asked({ pageRules: [pageRule("example.com/*", "off")] }), true);
    assert.equal(asked({ pageRules: [pageRule(all, "on"), pageRule(all, "off")] }), true);
    assert.equal(asked({ firewallRules: [bypass] }), false);
    assert.equal(asked({ firewallRules: [{ ...bypass, isPaused: true }] }), true);
    assert.equal(asked({ firewallRules: [{ ...bypass, expression: "not ssl" }] }), true);
    assert.equal(asked({ firewallRules: [{ ...bypass, expression: undefined }] }), true);
    assert.equal(asked({ firewallRules: [{ ...bypass, products: ["bic"] }] }), true);
  });
});
