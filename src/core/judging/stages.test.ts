import assert from "node:assert/strict";
import { describe, test } from "node:test";

import * as fc from "fast-check";

import { requestOf } from "../../../test/support/request-context.ts";
import { createEngines } from "../../engines/engines.ts";
import { compileExpression, compileValueExpression } from "../expression/compile/compile.ts";
import { toData, valueOf } from "../expression/context.ts";
import { zoneLockdownStage } from "../firewall-products/zone-lockdown.ts";
import { userAgentStage } from "../firewall-products/user-agent-rule.ts";
import { noLists } from "../lists/named-lists.ts";
import { parseUrlPattern } from "../page-rules/url-pattern.ts";
import { headersOf } from "../transforms/request-headers.ts";
import { replaceRules } from "../rulesets/edit-rules.ts";
import { evaluate } from "./evaluate.ts";
import { isAhead, requestStages } from "../rulesets/phases.ts";
import { assembleProgram, type Products } from "./program.ts";
import type { Ruleset } from "../rulesets/ruleset.ts";

const engines = createEngines();
const library = {
  findRuleset: () => undefined,
  compile: (expression: string) => compileExpression(expression, engines),
  compileValue: (expression: string) => compileValueExpression(expression, engines),
  redirectFor: () => undefined,
};

type Phase = Ruleset["phase"];
let made = 0;

function entryPoint(phase: Phase, rules: readonly object[]): Ruleset {
  const newId = () => (made += 1).toString(16).padStart(32, "0");
  const now = "2026-01-02T03:04:05.678000Z";
  const checks = {
    phase,
    kind: "zone" as const,
    issueIn: () => undefined,
    lists: noLists(phase),
    findRuleset: () => undefined,
  };
  const stored = replaceRules([], rules, "/rules", checks, { newId, now });
  const head = { id: newId(), name: "default", description: "", kind: "zone" as const, version: "1", phase };
  return { ...head, rules: stored, last_updated: now };
}

const rule = (action: string, expression: string, rest: object = {}) => ({ action, expression, ...rest });
const rewrite = (action_parameters: object, expression = "true") =>
  rule("rewrite", expression, { action_parameters });
const transform: Phase = "http_request_transform";
const late: Phase = "http_request_late_transform";
const custom: Phase = "http_request_firewall_custom";
const managed: Phase = "http_request_firewall_managed";
const request = requestOf("https://example.com/a/%62?x=1", {
  headers: { "user-agent": "Bot", "x-old": "1" },
});

function run(entryPoints: readonly Ruleset[], options = {}, products?: Products) {
  const evaluation = evaluate(assembleProgram(entryPoints, library, products), request, options);
  const field = (name: string) => toData(valueOf(evaluation.request, name));
  return { ...evaluation, field, steps: evaluation.trace.map(({ step_name }) => step_name) };
}

describe("the stages that a request passes", () => {
  test("come in the order of the table, whatever rules a zone has", () => {
    const pattern = parseUrlPattern("example.com/*", "example.com");
    assert.ok(!(pattern instanceof Error));
    const products: Products = {
      products: [
        userAgentStage([{ id: "u", description: "", mode: "block", userAgent: "Other" }]),
        zoneLockdownStage([{ id: "l", description: "", patterns: [], allowed: [] }]),
      ],
      transforms: { transforms: [{ id: "t", changes: () => [] }] },
    };
    const phases = requestStages.filter(
      (stage): stage is Phase =>
        stage.includes("_") && stage !== "managed_transforms" && stage !== "page_rules",
    );
    fc.assert(
      fc.property(fc.shuffledSubarray(phases), (some) => {
        const { steps } = run(
          some.map((phase) => entryPoint(phase, [])),
          {},
          products,
        );
        const passed = new Set<string>([...some, "zoneLockdown", "uaBlock", "managed_transforms"]);
        assert.deepEqual(
          steps,
          requestStages.filter((stage) => passed.has(stage)),
        );
      }),
      { numRuns: 50 },
    );
  });

  test("lead from redirects over transforms, configuration and origin to the firewall, and on to bulk redirects", () => {
    const order: readonly (readonly [(typeof requestStages)[number], (typeof requestStages)[number]])[] = [
      ["http_request_sanitize", "http_request_dynamic_redirect"],
      ["http_request_dynamic_redirect", "page_rules"],
      ["page_rules", transform],
      [transform, "http_config_settings"],
      ["http_config_settings", "http_request_origin"],
      ["http_request_origin", "ip"],
      ["ip", "country"],
      ["country", custom],
      [custom, "zoneLockdown"],
      ["zoneLockdown", "uaBlock"],
      ["uaBlock", "securityLevel"],
      ["securityLevel", "http_ratelimit"],
      ["http_ratelimit", managed],
      [managed, "waf"],
      ["waf", "http_request_redirect"],
      ["http_request_redirect", "managed_transforms"],
      ["managed_transforms", late],
      [late, "http_request_cache_settings"],
    ];
    for (const [first, second] of order) assert.ok(isAhead(first, second), `${first}, ${second}`);
  });

  test("a rate limit's block is answered 429, unless its rule says otherwise, and stops what is above the limit", () => {
    const limit = { characteristics: ["ip.src"], period: 60, requests_per_period: 10 };
    const response = { status_code: 418, content: "no", content_type: "text/plain" };
    const limiting = (rest: object = {}) => [
      entryPoint("http_ratelimit", [rule("block", "true", { ratelimit: limit, ...rest })]),
      entryPoint(managed, [rule("block", "true")]),
    ];
    const exceeds = () => true;
    const { decided, steps } = run(limiting(), { exceeds });
    assert.deepEqual([decided?.stage, decided?.status, steps], ["http_ratelimit", 429, ["http_ratelimit"]]);
    assert.equal(run(limiting({ action_parameters: { response } }), { exceeds }).decided?.status, 418);
    assert.equal(run(limiting({ action: "managed_challenge" }), { exceeds }).decided?.status, 403);
    assert.equal(run(limiting()).decided?.stage, managed);
  });

  test("the previous version of the managed rules judges after the new one, before bulk redirects", () => {
    const match = { packageId: "p", ruleId: "100", description: "old" };
    const previousWaf = (action: "block" | "log") => ({ previousWaf: () => [{ ...match, action }] });
    const redirect = { from_value: { target_url: { value: "/" } } };
    const bulk = entryPoint("http_request_redirect", [
      rule("redirect", "true", { action_parameters: redirect }),
    ]);
    const stageOf = (rulesets: readonly Ruleset[], action: "block" | "log" = "block") => {
      const { decided, previousMatches } = run(rulesets, previousWaf(action));
      return [decided?.stage, previousMatches.length];
    };
    assert.deepEqual(stageOf([bulk]), ["waf", 1]);
    assert.deepEqual(stageOf([bulk], "log"), ["http_request_redirect", 1]);
    assert.deepEqual(stageOf([bulk, entryPoint(managed, [rule("block", "true")])]), [managed, 1]);
    assert.deepEqual(stageOf([bulk, entryPoint(custom, [rule("block", "true")])]), [custom, 0]);
    const skip = rule("skip", "true", { action_parameters: { products: ["waf"] } });
    assert.deepEqual(stageOf([bulk, entryPoint(custom, [skip])]), ["http_request_redirect", 0]);
  });

  test("a rewritten path or query is what later phases see, and never the rules of the same phase", () => {
    const onPath = (path: string) => `http.request.uri.path eq "${path}"`;
    const { field, trace, decided } = run([
      entryPoint(transform, [
        rewrite({ uri: { path: { value: "/first" }, query: { value: "y=2" } } }, onPath("/a/b")),
        rewrite({ uri: { path: { value: "/never" } } }, onPath("/first")),
        rewrite({ uri: { path: { expression: 'concat("/last", http.request.uri.path)' } } }, onPath("/a/b")),
      ]),
      entryPoint(custom, [
        rule("log", onPath("/a/b")),
        rule(
          "log",
          'http.request.uri.args["y"][0] eq "2" and http.request.full_uri contains "/last/a/b?y=2"',
        ),
        rule("block", 'raw.http.request.uri.path ne "/a/%62" or raw.http.request.uri.query ne "x=1"'),
      ]),
    ]);
    assert.equal(field("http.request.uri.path"), "/last/a/b");
    assert.equal(field("http.request.uri.query"), "y=2");
    assert.equal(decided, undefined);
    assert.deepEqual(
      trace.map((phase) => phase.trace?.[0]?.trace?.map(({ matched }) => matched)),
      [
        [true, false, true],
        [false, true, false],
      ],
    );
  });

  test("header values of any scalar type become text, and a missing one sets nothing", () => {
    const set = (expression: string) => ({ operation: "set", expression });
    const { request: last, field } = run([
      entryPoint(late, [
        rewrite({
          headers: {
            "X-Address": set("ip.src"),
            "X-Number": set("http.request.timestamp.sec"),
            "X-Bool": set("ssl"),
            "X-Text": set("http.host"),
            "X-Absent": set('http.request.headers["x-absent"][0]'),
            "x-old": set("ip.src.city"),
            "X-Unicode": { operation: "set", value: "é" },
          },
        }),
        rewrite({
          headers: { "x-number": { operation: "add", value: "2" }, "X-Bool": { operation: "remove" } },
        }),
        rewrite({
          headers: { "user-agent": { operation: "set", expression: 'concat(http.user_agent, "/2")' } },
        }),
        rewrite({ headers: { "x-seen": { operation: "set", expression: "http.user_agent" } } }),
      ]),
    ]);
    assert.deepEqual(headersOf(last), [
      ["host", "example.com"],
      ["x-address", "192.0.2.1"],
      ["x-number", "0"],
      ["x-text", "example.com"],
      ["x-unicode", String.raw`\u00c3\u00a9`],
      ["x-number", "2"],
      ["user-agent", "Bot/2"],
      ["x-seen", "Bot"],
    ]);
    assert.equal(field("http.user_agent"), "Bot/2");
  });
});
