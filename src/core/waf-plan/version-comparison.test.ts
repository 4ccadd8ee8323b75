import assert from "node:assert/strict";
import { test } from "node:test";
import { managedRulesetId, owaspRulesetId } from "../rulesets/phases.ts";
import { VersionComparison, type VersionMatch } from "./version-comparison.ts";

const match: VersionMatch = {
  isNew: true,
  ray: "1",
  action: "block",
  rulesetId: managedRulesetId,
  ruleId: "a",
  description: "A rule",
  host: "www.example.com",
  path: "/",
  scoredBy: [],
  scores: [],
  requests: 1,
};

const compare = (...matches: Partial<VersionMatch>[]) => {
  const comparison = new VersionComparison();
  for (const one of matches) comparison.add({ ...match, ...one });
  return comparison.report();
};

test("a request is counted once, by what stops it rather than by what notes it", () => {
  const report = compare(
    { action: "log" },
    {},
    { action: "log", ruleId: "b" },
    { ray: "2", isNew: false, action: "managed_challenge" },
    { ray: "3", action: "log" },
    { ray: "4" },
    { ray: "4", isNew: false, action: "challenge" },
  );
  assert.deepEqual(
    [report.stopped_only_by_new[0]?.rule_id, report.stopped_only_by_previous[0]?.requests],
    ["a", 1],
  );
});

test("exceptions are for a host and a path, of what scored, and of no rule that is not executed", () => {
  const { exceptions } = compare(
    { path: '/a"\\' },
    { ray: "2", path: '/a"\\', rulesetId: owaspRulesetId, ruleId: "sum", scoredBy: ["b", "c"] },
    { ray: "3", rulesetId: "the entry point" },
    { ray: "4", path: `/${"x".repeat(1_000)}` },
  );
  assert.equal(exceptions.length, 1);
  assert.deepEqual(exceptions[0]?.action_parameters, {
    rules: { [managedRulesetId]: ["a"], [owaspRulesetId]: ["b", "c"] },
  });
  assert.equal(
    exceptions[0]?.expression,
    String.raw`(http.host eq "www.example.com" and http.request.uri.path eq "/a\"\\")`,
  );
});

test("scores count once for a request, and lists are bounded", () => {
  const matches = Array.from({ length: 200 }, (_, index) => ({
    ray: String(index),
    ruleId: String(index),
    path: `/${index}`,
    scores: [25, 60],
  }));
  const report = compare(...matches, ...matches);
  assert.deepEqual(
    report.owasp_scores.map(({ highest, at_least_25, at_least_40 }) => [highest, at_least_25, at_least_40]),
    [
      [25, 200, 0],
      [60, 200, 200],
    ],
  );
  assert.deepEqual([report.stopped_only_by_new.length, report.exceptions.length], [50, 50]);
});
