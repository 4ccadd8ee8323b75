import assert from "node:assert/strict";
import { describe, test } from "node:test";

import * as fc from "fast-check";

import { AppError } from "../error.ts";
import { noLists } from "../lists/named-lists.ts";
import { addRule, redefineRule, removeRule, replaceRules, type RuleMaking } from "./edit-rules.ts";
import type { RuleContext } from "./rule-context.ts";
import type { Rule } from "./rule.ts";

const context: RuleContext = {
  phase: "http_request_firewall_custom",
  kind: "zone",
  issueIn: () => undefined,
  lists: noLists("http_request_firewall_custom"),
  findRuleset: () => undefined,
};

function newMaking(): RuleMaking {
  let made = 0;
  return {
    newId: () => (made += 1).toString(16).padStart(32, "0"),
    now: "2026-01-02T03:04:05.678000Z",
  };
}

const body = fc.record(
  {
    action: fc.constantFrom("block", "log", "managed_challenge"),
    expression: fc.constantFrom("true", "ssl", 'http.host eq "a"'),
    description: fc.constantFrom("", "one", "two"),
    enabled: fc.boolean(),
    ref: fc.constantFrom("", "a", "b", "c", "d"),
  },
  { requiredKeys: ["action", "expression"] },
);

/** Bodies whose references differ. */
const bodies = fc.uniqueArray(body, {
  maxLength: 6,
  selector: ({ ref }) => ref || {},
});

/** The result of an edit, or undefined where it refuses. */
function attempt<T>(edit: () => T): T | undefined {
  try {
    return edit();
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

const withoutVersion = (rule: Rule): object => ({ ...rule, version: "", last_updated: "" });

describe("edits of rules", () => {
  test("what answers hold, sent back as it is, changes no rule", () => {
    fc.assert(
      fc.property(bodies, (sent) => {
        const making = newMaking();
        const rules = replaceRules([], sent, "/rules", context, making);
        const again = replaceRules(rules, structuredClone(rules), "/rules", context, {
          ...making,
          now: "later",
        });
        assert.deepEqual(again, rules);
      }),
    );
  });

  test("a rule keeps id and reference, and its version goes up by one exactly when it says something else", () => {
    fc.assert(
      fc.property(bodies, bodies, (first, second) => {
        const making = newMaking();
        const before = replaceRules([], first, "/rules", context, making);
        const after = replaceRules(before, second, "/rules", context, making);
        for (const rule of after) {
          const earlier = before.find(({ ref }) => ref === rule.ref);
          if (earlier === undefined) {
            assert.equal(rule.version, "1");
            continue;
          }
          assert.equal(rule.id, earlier.id);
          const isSame = JSON.stringify(withoutVersion(rule)) === JSON.stringify(withoutVersion(earlier));
          assert.equal(Number(rule.version) - Number(earlier.version), isSame ? 0 : 1);
        }
        assert.equal(new Set(after.map(({ id }) => id)).size, after.length);
      }),
    );
  });

  test("a move puts the rule where it says, leaves the order of the others, and changes no rule", () => {
    const rule = { action: "block", expression: "true" };
    const position = fc.record({
      kind: fc.constantFrom("before", "after", "index"),
      at: fc.integer({ min: -1, max: 7 }),
    });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }), fc.nat(5), position, (count, which, { kind, at }) => {
        const making = newMaking();
        const rules = replaceRules(
          [],
          Array.from({ length: count }, () => rule),
          "/rules",
          context,
          making,
        );
        const moved = rules[which % count];
        assert.ok(moved);
        const target = at < 0 ? "" : rules[at]?.id;
        const where = kind === "index" ? { index: at } : { [kind]: target ?? "f".repeat(32) };
        const result = attempt(() => redefineRule(rules, moved.id, { position: where }, context, making));
        if (result === undefined) {
          const isLegal =
            kind === "index" ? at >= 1 && at <= count : target !== undefined && target !== moved.id;
          assert.ok(!isLegal, JSON.stringify(where));
          return;
        }
        const others = rules.filter(({ id }) => id !== moved.id);
        assert.deepEqual(
          result.filter(({ id }) => id !== moved.id),
          others,
        );
        const index = result.indexOf(moved);
        if (kind === "index") assert.equal(index, at - 1);
        else if (target === "") assert.equal(index, kind === "before" ? 0 : count - 1);
        else assert.equal(result[kind === "before" ? index + 1 : index - 1]?.id, target);
      }),
    );
  });

  test("a rule that is added and removed leaves the others as they were", () => {
    fc.assert(
      fc.property(bodies, fc.nat(6), (sent, at) => {
        const making = newMaking();
        const rules = replaceRules([], sent, "/rules", context, making);
        const index = (at % (rules.length + 1)) + 1;
        const added = addRule(
          rules,
          { action: "block", expression: "ssl", position: { index } },
          context,
          making,
        );
        const id = added[index - 1]?.id ?? "";
        assert.deepEqual(removeRule(added, id), rules);
      }),
    );
  });

  test("any JSON is read or refused, never more", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (rules, rule) => {
        const making = newMaking();
        attempt(() => replaceRules([], rules, "/rules", context, making));
        attempt(() => addRule([], rule, context, making));
        attempt(() =>
          addRule([], { action: "skip", expression: "true", action_parameters: rule }, context, making),
        );
        const rewrite = { ...context, phase: "http_request_transform" } as const;
        attempt(() =>
          addRule([], { action: "rewrite", expression: "true", action_parameters: rule }, rewrite, making),
        );
      }),
    );
  });
});
