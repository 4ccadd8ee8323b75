import assert from "node:assert/strict";
import { describe, test } from "node:test";

import examples from "../../../catalogues/managed-rule-examples.json" with { type: "json" };
import { ordinaryTraffic } from "../../../test/crs/ordinary-traffic.ts";
import { createEngines } from "../../engines/engines.ts";
import { compileExpression } from "../expression/compile/compile.ts";
import { decodeText } from "../expression/byte-string.ts";
import { defaultUrlNormalization } from "../transforms/url-normalization.ts";
import { describeText, splitUrl, type DescribedRequest, type UrlParts } from "./described-request.ts";
import { SharedExpressions } from "./shared-expressions.ts";
import { judgeRequest, type RunningRules } from "./judge-request.ts";
import { findBuiltInRuleset } from "./managed-rulesets.ts";
import { assembleProgram } from "./program.ts";
import type { Ruleset } from "../rulesets/ruleset.ts";
import type { TraceStep } from "./trace-step.ts";

interface Example {
  readonly request: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface RuleExamples {
  readonly id: string;
  readonly description: string;
  readonly attacks: readonly Example[];
  readonly harmless: readonly Example[];
}

const vendor = "cloudflare";
const rulesets = ["efb7b8c949ac4650a09736fc376e9aee", "77454fe2d30c4220b5701f6fdfb893ba"].map((id) => {
  const ruleset = findBuiltInRuleset(id, vendor);
  assert.ok(ruleset, id);
  return ruleset;
});
const managedRules = rulesets.flatMap(({ rules }) => rules);
const enabledIds = new Set(managedRules.filter(({ enabled }) => enabled).map(({ id }) => id));
const running = runEachRule(rulesets);
const ofRules: readonly RuleExamples[] = examples.rules;

describe("the rules of the Managed Rulesets", () => {
  test("each have examples, by their descriptions", () => {
    const named = (all: readonly { id: string; description?: string }[]) =>
      all.map(({ id, description }) => `${id} ${description}`);
    assert.deepEqual(named(ofRules), named(managedRules));
  });

  for (const { id, description, attacks, harmless } of ofRules) {
    test(`${description} (${id})`, async (t) => {
      for (const example of attacks) {
        await t.test(`matches ${titleOf(example)}`, () => assert.ok(matched(example).includes(id)));
      }
      for (const example of harmless) {
        await t.test(`lets ${titleOf(example)} pass`, () => {
          assert.deepEqual(
            matched(example).filter((one) => one === id || enabledIds.has(one)),
            [],
          );
        });
      }
    });
  }

  test("stop nothing of ordinary traffic", () => {
    const stopped = ordinaryTraffic.flatMap(({ method, target, headers, body }) => {
      const path = decodeText(target) ?? target;
      const pairs = headers.map(({ name, value }) => [name, value] as const);
      const ids = matchedOf({ method, headers: pairs, body, address: "192.0.2.1", time: 0 }, path);
      return ids.filter((id) => enabledIds.has(id)).map((id) => `${method} ${path}: ${id}`);
    });
    assert.deepEqual(stopped, []);
  });
});

const titleOf = ({ request }: Example): string => request.slice(0, 120);

/** Executes rulesets with every rule enabled, and none of them ends the way of a request. */
function runEachRule(executed: readonly Ruleset[]): RunningRules {
  const engines = createEngines();
  const expressions = new SharedExpressions((source) => compileExpression(source, engines)).lease();
  const entryPoint: Ruleset = {
    id: "0".repeat(32),
    name: "default",
    description: "",
    kind: "zone",
    version: "1",
    last_updated: "2026-01-02T03:04:05.678000Z",
    phase: "http_request_firewall_managed",
    rules: executed.map(({ id, last_updated }) => ({
      id,
      version: "1",
      action: "execute",
      expression: "true",
      action_parameters: { id, overrides: { action: "log", enabled: true } },
      description: "",
      last_updated,
      ref: id,
      enabled: true,
    })),
  };
  const program = assembleProgram([entryPoint], {
    findRuleset: (id) => executed.find((ruleset) => ruleset.id === id),
    compile: (expression) => expressions.get(expression),
    compileValue: () => assert.fail("no rule rewrites"),
    redirectFor: () => undefined,
  });
  return {
    program,
    responseProgram: [],
    responseChanges: [],
    meets: (expression, request) => expressions.get(expression).evaluate(request),
    lists: new Map(),
    coreRules: undefined,
    coreLevel: undefined,
    tellsVisitorsApart: false,
  };
}

/** The ids of the rules that an example matches. */
function matched({ request, headers = {}, body = "" }: Example): string[] {
  const [method = "", target = ""] = request.split(" ");
  const sent = { "User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0", ...headers };
  const text = describeText({ headers: sent, cookies: {}, body }, partsOf(target));
  return matchedOf({ method, address: "192.0.2.1", time: 0, ...text }, target, headers["Host"]);
}

function partsOf(target: string): UrlParts {
  const parts = splitUrl(`https://www.example.com${target}`);
  assert.ok(parts, target);
  return parts;
}

function matchedOf(request: DescribedRequest, target: string, host = "www.example.com"): string[] {
  const zone = {
    zone: { name: "example.com", plan: "enterprise" as const },
    urlNormalization: defaultUrlNormalization,
    vendor,
    previous: undefined,
  };
  return idsOf(judgeRequest(running, zone, request, { ...partsOf(target), host }).trace);
}

function idsOf(steps: readonly TraceStep[]): string[] {
  return steps.flatMap((step) => [
    ...(step.type === "rule" && step.matched && step.action === "log" ? [step.step_name] : []),
    ...idsOf(step.trace ?? []),
  ]);
}
