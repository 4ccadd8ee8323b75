import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { AppError } from "../../../../src/core/error.ts";
import { phases } from "../../../../src/core/expression/phases.ts";
import { noLists } from "../../../../src/core/lists/named-lists.ts";
import { phaseDefinitions } from "../../../../src/core/rulesets/phases.ts";
import type { Rule } from "../../../../src/core/rulesets/rule.ts";
import { ruleInput } from "../../../../src/core/rulesets/rule.ts";
import { ApiError } from "../../api/api-error.ts";
import { errorAt } from "./parameters/surroundings.ts";
import {
  schemaOf,
  newDraft,
  onlyLogging,
  rateLimitSchema,
  toBody,
  toDraft,
  withAction,
} from "./rule-draft.ts";

describe("a new rule", () => {
  for (const phase of phases)
    for (const action of phaseDefinitions[phase].actions)
      test(`with ${action} in ${phase} is refused, if at all, for values that its schema asks for`, () => {
        const draft = withAction(newDraft({ phase, level: "zone" }), action, phase);
        const body = toBody({ ...draft, expression: "true" }, phase);
        const context = {
          phase,
          kind: "zone" as const,
          issueIn: () => undefined,
          lists: noLists(phase),
          findRuleset: () => undefined,
        };
        try {
          ruleInput(body, "", context);
        } catch (error) {
          assert.ok(error instanceof AppError);
          assert.match(error.pointer ?? "", /^\/action_parameters/);
          assert.ok(schemaOf(action, phase, draft.parameters[action]), `${action} has no schema`);
        }
      });
});

const rule: Rule = {
  id: "0".repeat(32),
  ref: "mine",
  version: "3",
  last_updated: "2026-01-02T03:04:05Z",
  action: "block",
  action_parameters: { response: { status_code: 403, content: "no", content_type: "text/plain" } },
  expression: "ssl",
  description: "Plain",
  enabled: false,
};

test("a rule that is edited and sent back unchanged says what it said", () => {
  const { version: _version, last_updated: _lastUpdated, ...said } = rule;
  assert.deepEqual(toBody(toDraft(rule), "http_request_firewall_custom", rule), said);
});

test("a rule that only logs keeps whom it is for, and loses what only its action takes", () => {
  const { action_parameters: _parameters, ...said } = toBody(
    toDraft(rule),
    "http_request_firewall_custom",
    rule,
  );
  assert.deepEqual(onlyLogging(toBody(toDraft(rule), "http_request_firewall_custom", rule)), {
    ...said,
    action: "log",
  });
});

test("parameters come back with the action that they belong to", () => {
  const phase = "http_request_firewall_custom";
  const changed = withAction(withAction(toDraft(rule), "skip", phase), "block", phase);
  assert.deepEqual(toBody(changed, phase, rule).action_parameters, rule.action_parameters);
});

test("an error stands at the deepest field that is drawn", () => {
  const error = new ApiError(400, [
    { code: 1, message: "no", source: { pointer: "/ratelimit/characteristics/2" } },
  ]);
  const isDrawn = (name: string): boolean => name in rateLimitSchema.fields;
  assert.equal(errorAt(error, "/ratelimit", isDrawn), undefined);
  assert.equal(errorAt(error, "/ratelimit/characteristics"), "no (code 1)");
  assert.equal(errorAt(error, "/rate"), undefined);
});
