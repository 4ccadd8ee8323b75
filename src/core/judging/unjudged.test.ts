import assert from "node:assert/strict";
import { test } from "node:test";

import { createContext } from "../expression/context.ts";
import { ruleMatchesOf, failedMatches } from "./rule-matches.ts";
import { evaluate } from "./evaluate.ts";
import type { FailMode } from "./evaluation.ts";
import type { Program, RunnableRule } from "./program.ts";
import type { Rule } from "../rulesets/rule.ts";

const request = createContext({});
const lost = new Error("the engine is lost");
const fail = (): never => {
  throw lost;
};

function runnable(id: string, action: Rule["action"], rest: Partial<RunnableRule> = {}): RunnableRule {
  const rule: Rule = {
    id,
    version: "1",
    action,
    expression: "true",
    description: `rule ${id}`,
    last_updated: "",
    ref: id,
    enabled: true,
  };
  const nothing = { executes: undefined, redirects: undefined, limit: undefined, rewrites: undefined };
  return { rule, matches: () => true, ...nothing, ...rest };
}

function phase(
  name: "http_request_transform" | "http_request_firewall_custom",
  rules: RunnableRule[],
): Program {
  const ruleset = { id: "ruleset", name: "", description: "", kind: "zone" } as const;
  return [{ phase: name, entryPoints: [{ ruleset, rules, coreLevel: undefined }] }];
}

const failing: readonly (readonly [string, Program])[] = [
  ["a condition", phase("http_request_firewall_custom", [runnable("a", "block", { matches: fail })])],
  ["a value", phase("http_request_transform", [runnable("a", "rewrite", { rewrites: fail })])],
  ["a target", phase("http_request_transform", [runnable("a", "redirect", { redirects: fail })])],
  ["a product", [{ product: "uaBlock", judge: fail }]],
];

for (const [what, program] of failing)
  test(`${what} that fails stops the request or lets it pass, as was asked`, () => {
    const next = phase("http_request_firewall_custom", [runnable("z", "log")]);
    const run = (failMode?: FailMode) => {
      const evaluation = evaluate([...program, ...next], request, failMode && { failMode });
      const matches = [
        ...ruleMatchesOf(evaluation.trace),
        ...failedMatches(evaluation.failures, failMode ?? "closed"),
      ];
      return { ...evaluation, matches: matches.map(({ action, isUnjudged }) => [action, isUnjudged]) };
    };
    assert.throws(() => run(), lost);

    const closed = run("closed");
    assert.deepEqual([closed.decided?.status, closed.decided?.isUnjudged], [500, true]);
    assert.deepEqual(closed.matches, [["block", true]]);
    assert.deepEqual(
      closed.failures.map(({ error }) => error),
      [lost],
    );

    const open = run("open");
    assert.equal(open.decided, undefined);
    assert.deepEqual(open.matches, [
      ["log", undefined],
      ["log", true],
    ]);
  });

test("without an answer of the Core Rule Set, none of its rules matches", () => {
  const ruleset = { id: "owasp", name: "", description: "", kind: "managed" } as const;
  const rules = [runnable("a", "block")];
  const program: Program = [
    { phase: "http_request_firewall_managed", entryPoints: [{ ruleset, rules, coreLevel: 1 }] },
  ];
  const open = evaluate(program, request, { failMode: "open", coreMatches: fail });
  assert.deepEqual([open.decided, open.failures.length], [undefined, 1]);
  const closed = evaluate(program, request, { failMode: "closed", coreMatches: fail });
  assert.equal(closed.decided?.isUnjudged, true);
});

test("the previous version of the managed rules may fail too", () => {
  const program: Program = [{ judges: "waf" }];
  const run = (failMode: FailMode) => evaluate(program, request, { failMode, previousWaf: fail });
  assert.equal(run("closed").decided?.status, 500);
  assert.deepEqual([run("open").decided, run("open").previousMatches], [undefined, []]);
});
