import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as fc from "fast-check";
import { createContext } from "../expression/context.ts";
import { compileExpression, type Engines } from "../expression/compile/compile.ts";
import { matchesUrl, parseUrlPattern, type RequestUrl } from "../page-rules/url-pattern.ts";
import { exceededLimits, obstacles } from "./eligibility.ts";
import { planMigration } from "./plan.ts";
import { managedRulesOf, type ParsedPageRule } from "../page-rules/page-rule.ts";
import type { PreviousWaf } from "../previous-waf/previous-waf.ts";

const managedRulesetId = "efb7b8c949ac4650a09736fc376e9aee";
const owaspRulesetId = "4814384a9e5d4991b9815dcfc25d2f1f";

const untouched: PreviousWaf = {
  isOn: true,
  managed: { rules: [] },
  owasp: { sensitivity: undefined, actionMode: "challenge", changedGroups: [], changedRules: [] },
  firewallRules: [],
  pageRules: [],
  overrideIds: [],
};

const bypass = (id: string, rest: Partial<PreviousWaf["firewallRules"][number]> = {}) => ({
  id,
  description: "",
  action: "bypass" as const,
  products: ["waf"],
  isPaused: false,
  expression: "ssl",
  ...rest,
});

function pageRule(url: string, rest: Partial<ParsedPageRule> = {}): ParsedPageRule {
  const pattern = parseUrlPattern(url, "example.com");
  if (pattern instanceof Error) throw pattern;
  return { id: url, isActive: true, pattern, url, actions: [{ id: "disable_security" }], ...rest };
}

const waf = (value: string) => [{ id: "waf", value }];

describe("the plan of a migration", () => {
  test("runs both managed rulesets for a zone that nobody touched", () => {
    const { ruleset } = planMigration(untouched);
    const rule = { id: "", version: "", ref: "", action: "execute", expression: "true", description: "" };
    assert.deepEqual(ruleset, {
      name: "default",
      rules: [
        { ...rule, enabled: true, action_parameters: { id: managedRulesetId } },
        {
          ...rule,
          enabled: true,
          action_parameters: {
            id: owaspRulesetId,
            overrides: {
              categories: [
                { category: "paranoia-level-3", enabled: false },
                { category: "paranoia-level-4", enabled: false },
              ],
              rules: [
                { id: "6179ae15870a4bb7b2d480d4843b323c", action: "managed_challenge", score_threshold: 40 },
              ],
            },
          },
        },
      ],
    });
  });

  test("maps every OWASP sensitivity and action", () => {
    const cases = [
      ["high", "simulate", ["3", "4"], 40, "log", true],
      ["medium", "challenge", ["2", "3", "4"], 25, "managed_challenge", true],
      ["low", "block", ["2", "3", "4"], 40, "block", true],
      [undefined, "block", ["3", "4"], 40, "block", true],
      ["off", "block", ["3", "4"], 40, "block", false],
    ] as const;
    for (const [sensitivity, actionMode, off, threshold, action, enabled] of cases) {
      const owasp = { ...untouched.owasp, sensitivity, actionMode };
      const rule = planMigration({ ...untouched, owasp }).ruleset.rules[1];
      assert.equal(rule?.enabled, enabled, String(sensitivity));
      assert.deepEqual(rule?.action_parameters["overrides"], {
        categories: off.map((level) => ({ category: `paranoia-level-${level}`, enabled: false })),
        rules: [{ id: "6179ae15870a4bb7b2d480d4843b323c", action, score_threshold: threshold }],
      });
    }
  });

  test("turns modes of rules and groups into overrides, and names what is lost", () => {
    const rule = (
      id: string,
      mode: PreviousWaf["managed"]["rules"][number]["mode"],
      groupMode: "on" | "off" = "on",
    ) => ({
      id,
      continuedBy: `new-${id}`,
      mode,
      groupMode,
    });
    const plan = planMigration({
      ...untouched,
      managed: {
        rules: [
          rule("1", "default"),
          rule("2", "disable"),
          rule("3", "simulate"),
          rule("4", "challenge"),
          rule("5", "block"),
          rule("6", "block", "off"),
        ],
      },
      owasp: { ...untouched.owasp, changedGroups: ["OWASP Bad Robots"], changedRules: ["920100"] },
    });
    assert.deepEqual(plan.ruleset.rules[0]?.action_parameters["overrides"], {
      rules: [
        { id: "new-2", enabled: false },
        { id: "new-3", action: "log", enabled: true },
        { id: "new-4", action: "managed_challenge", enabled: true },
        { id: "new-5", action: "block", enabled: true },
        { id: "new-6", enabled: false },
      ],
    });
    const lost = plan.consequences.filter(({ becomes }) => becomes === undefined);
    assert.deepEqual(
      lost.map(({ setting }) => setting),
      ["OWASP group override: OWASP Bad Robots", "OWASP rule override: 920100"],
    );
  });

  test("puts a skip rule for each bypass in force ahead of the execute rules, in the old order", () => {
    const plan = planMigration({
      ...untouched,
      firewallRules: [
        bypass("1", { expression: 'http.host eq "a"', description: "uploads" }),
        bypass("2", { isPaused: true }),
        bypass("3", { products: ["bic"] }),
        bypass("4", { expression: undefined }),
        bypass("5", { expression: "not ssl" }),
        bypass("6", { action: "allow", products: [] }),
      ],
    });
    assert.deepEqual(
      plan.ruleset.rules.map(({ action, expression, description }) => [action, expression, description]),
      [
        ["skip", 'http.host eq "a"', "uploads"],
        ["skip", "not ssl", ""],
        ["execute", "true", ""],
        ["execute", "true", ""],
      ],
    );
    assert.deepEqual(plan.ruleset.rules[0]?.action_parameters, { ruleset: "current" });
  });

  test("leaves out of a page rule's skip what a page rule ahead of it takes", () => {
    const { ruleset } = planMigration({
      ...untouched,
      pageRules: [
        pageRule("example.com/a/keep*", { actions: [{ id: "cache_level", value: "bypass" }] }),
        pageRule("example.com/z/*", { actions: waf("off"), isActive: false }),
        pageRule("https://example.com/a/*", { actions: waf("off") }),
        pageRule("*.example.com/*"),
      ],
    });
    assert.deepEqual(
      ruleset.rules.filter(({ action }) => action === "skip").map(({ expression }) => expression),
      [
        'ssl and http.host eq "example.com" and http.request.uri.path wildcard "/a/*" and ' +
          'not (http.host eq "example.com" and http.request.uri.path wildcard "/a/keep*")',
        'http.host strict wildcard "*.example.com"',
      ],
    );
  });

  test("of a zone whose WAF is off runs the rulesets only where a page rule switches it on", () => {
    const { ruleset, consequences } = planMigration({
      ...untouched,
      isOn: false,
      pageRules: [pageRule("example.com/admin/*", { actions: waf("on") })],
    });
    const [wafIsOff] = consequences;
    assert.equal(wafIsOff?.setting, "WAF is off");
    for (const part of ["disabled", "turn the setting `waf` on before the migration", "enable these rules"]) {
      assert.ok(wafIsOff.becomes?.includes(part), part);
    }
    const expression = 'http.host eq "example.com" and http.request.uri.path wildcard "/admin/*"';
    assert.deepEqual(
      ruleset.rules.map((rule) => [rule.expression, rule.enabled, rule.action_parameters["id"]]),
      [
        ["true", false, managedRulesetId],
        ["true", false, owaspRulesetId],
        [expression, true, managedRulesetId],
        [expression, true, owaspRulesetId],
      ],
    );
  });

  test("runs the managed rules for a URL exactly where the page rules leave them on", () => {
    fc.assert(fc.property(fc.boolean(), pageRuleLists({ maxLength: 5 }), requestUrls, runsAsPageRulesSay), {
      numRuns: 3_000,
      seed: 6,
    });
  });

  test("keeps every expression within the limit of the language, however many page rules overlap", () => {
    const many = pageRuleLists({ minLength: 60, maxLength: 90 });
    fc.assert(
      fc.property(fc.boolean(), many, requestUrls, (isOn, pageRules, url) => {
        const { ruleset } = planMigration({ ...untouched, isOn, pageRules });
        for (const { expression } of ruleset.rules) assert.ok(expression.length <= 4_096);
        runsAsPageRulesSay(isOn, pageRules, url);
      }),
      { numRuns: 100, seed: 7 },
    );
  });

  test("shortens what it says of a page rule to what a description may hold", () => {
    const { ruleset } = planMigration({
      ...untouched,
      pageRules: [pageRule(`example.com/${"x".repeat(600)}`)],
    });
    assert.equal(ruleset.rules[0]?.description.length, 500);
  });
});

const pageRuleLists = (bounds: { readonly minLength?: number; readonly maxLength: number }) => {
  const paths = fc.stringMatching(/^\/[abA*]{0,4}$/);
  const hosts = fc.constantFrom(
    "example.com",
    "*.example.com",
    "*example.com",
    "a.example.com",
    "*a.example.com",
  );
  const schemes = fc.constantFrom("", "http://", "https://");
  const urls = fc
    .tuple(schemes, hosts, paths)
    .map((parts) => parts.join(""))
    .filter((url) => !(parseUrlPattern(url, "example.com") instanceof Error));
  const actions = fc.constantFrom([{ id: "disable_security" }], waf("off"), waf("on"), [
    { id: "cache_level", value: "bypass" },
  ]);
  return fc.array(
    fc
      .tuple(urls, actions, fc.boolean())
      .map(([url, does, isActive]) => pageRule(url, { actions: does, isActive })),
    bounds,
  );
};

const requestUrls = fc.record<RequestUrl>({
  scheme: fc.constantFrom<"http" | "https">("http", "https"),
  host: fc.constantFrom("example.com", "a.example.com", "b.a.example.com"),
  path: fc.stringMatching(/^\/[abA]{0,3}$/),
  port: fc.constant(443),
  query: fc.constant(""),
});

/** Each managed ruleset runs once where the first page rule that takes the URL, or else the zone, says so. */
function runsAsPageRulesSay(isOn: boolean, pageRules: readonly ParsedPageRule[], url: RequestUrl): void {
  const first = pageRules.find((rule) => rule.isActive && matchesUrl(rule.pattern, url));
  const says = first === undefined ? undefined : managedRulesOf(first);
  const { ruleset } = planMigration({ ...untouched, isOn, pageRules });
  const request = createContext({
    ssl: url.scheme === "https",
    "http.host": url.host,
    "http.request.uri.path": url.path,
    "http.request.uri": url.path,
  });
  const matching = ruleset.rules.filter(
    ({ enabled, expression }) => enabled && compileExpression(expression, noEngines).evaluate(request),
  );
  const end = matching.findIndex(({ action }) => action === "skip");
  const executed = matching
    .slice(0, end === -1 ? matching.length : end)
    .map(({ action_parameters }) => action_parameters["id"]);
  assert.deepEqual(
    executed,
    (says ?? (isOn ? "on" : "off")) === "on" ? [managedRulesetId, owaspRulesetId] : [],
  );
}

function refuse(): never {
  throw new Error("a plan holds no patterns and no hashes");
}

const noEngines: Engines = { regexes: { compile: refuse }, hashes: { sha256: refuse, hmacSha256: refuse } };

describe("eligibility", () => {
  const inTheWay = {
    40001: { overrideIds: ["o"] },
    40003: { firewallRules: [bypass("1")] },
    40004: { pageRules: [pageRule("example.com/*")] },
  } as const;
  const owaspOff = { owasp: { ...untouched.owasp, sensitivity: "off" } } as const;

  test("is judged by every combination of the conditions of both phases", () => {
    for (const isOn of [true, false]) {
      for (const owasp of [untouched.owasp, owaspOff.owasp]) {
        for (let chosen = 0; chosen < 8; chosen += 1) {
          const present = Object.entries(inTheWay).filter((_, index) => (chosen & (1 << index)) !== 0);
          const previous: PreviousWaf = {
            ...untouched,
            isOn,
            owasp,
            ...Object.assign({}, ...present.map(([, part]) => part)),
          };
          const codes = present.map(([code]) => Number(code));
          const owaspCode = isOn && owasp.sensitivity !== "off" ? [40002] : [];
          assert.deepEqual(
            obstacles(previous, false).map(({ code }) => code),
            [
              ...codes.filter((code) => code === 40001),
              ...owaspCode,
              ...codes.filter((code) => code > 40002),
            ],
          );
          assert.deepEqual(
            obstacles(previous, true).map(({ code }) => code),
            codes.filter((code) => code === 40001),
          );
        }
      }
    }
  });

  test("ends at 201 firewall rules and at 4,097 bytes, counted as UTF-8", () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => bypass(String(index)));
    const limitsOf = (firewallRules: PreviousWaf["firewallRules"]) =>
      exceededLimits({ ...untouched, firewallRules }).map(({ code }) => code);
    assert.deepEqual(limitsOf(many(200)), []);
    assert.deepEqual(limitsOf(many(201)), [40005]);
    assert.deepEqual(limitsOf([...many(200), bypass("paused", { isPaused: true })]), []);
    assert.deepEqual(limitsOf([...many(200), bypass("unfiltered", { expression: undefined })]), []);
    assert.deepEqual(limitsOf([bypass("1", { expression: "x".repeat(4_096) })]), []);
    assert.deepEqual(limitsOf([bypass("1", { expression: "x".repeat(4_097) })]), [40006]);
    assert.deepEqual(limitsOf([bypass("1", { expression: "é".repeat(2_049) })]), [40006]);
    assert.deepEqual(limitsOf([bypass("1", { expression: "x".repeat(4_097), isPaused: true })]), []);
  });
});
