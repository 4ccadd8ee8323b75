import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createContext } from "../../core/expression/context.ts";
import type { RunnableLimit } from "../../core/judging/program.ts";
import { RateCounters } from "./rate-counters.ts";

const bounds = { keysMax: 10, keysInAllMax: 25 };
const limitOf = (requests_per_period: number): RunnableLimit => ({
  limit: { characteristics: ["ip.src"], period: 60, requests_per_period, mitigation_timeout: 0 },
  json: String(requests_per_period),
  keyOf: () => "",
  counts: undefined,
  countsAnswers: false,
});

const visit = (
  counters: RateCounters,
  ruleId: string,
  key: string,
  limit = limitOf(1),
  accountId = "a",
): boolean =>
  counters.exceededUntil(
    { accountId },
    { ruleId, action: "block", limit, key, isCounted: true },
    0,
    undefined,
  ) !== undefined;

describe("the counters of rate limits", () => {
  test("hold no more keys of a rule, and of all rules, than they may, and drop the rule that was asked least recently", () => {
    const counters = new RateCounters(bounds);
    for (const ruleId of ["a", "b", "a", "c"])
      for (let index = 0; index < 100; index += 1) {
        visit(counters, ruleId, `${index}`);
        assert.ok(counters.size <= bounds.keysInAllMax);
      }
    assert.equal(visit(counters, "b", "99"), false, "its windows are gone");
    assert.equal(visit(counters, "a", "99"), true);
    assert.equal(visit(counters, "c", "99"), true);
  });

  test("of one account drop none of another one that has less than an equal part of them", () => {
    const counters = new RateCounters(bounds);
    for (let index = 0; index < 8; index += 1) visit(counters, "a1", `${index}`);
    for (const ruleId of ["b1", "b2", "b3", "b4"])
      for (let index = 0; index < 100; index += 1) visit(counters, ruleId, `${index}`, limitOf(1), "b");
    assert.ok(counters.size <= bounds.keysInAllMax);
    for (let index = 0; index < 8; index += 1)
      assert.equal(visit(counters, "a1", `${index}`), true, "its window goes on");
  });

  test("begin anew once a rule has another limit, and forget nothing of the number of their keys", () => {
    const counters = new RateCounters(bounds);
    for (let index = 0; index < 10; index += 1) visit(counters, "a", `${index}`);
    assert.equal(visit(counters, "a", "0", limitOf(2)), false);
    assert.equal(counters.size, 1);
    visit(counters, "a", "0", limitOf(2));
    const again = { ruleId: "a", action: "challenge", limit: limitOf(2), key: "0", isCounted: true } as const;
    assert.equal(
      counters.exceededUntil({ accountId: "a" }, again, 1, 0),
      60_000,
      "a challenge passed as the window began was for an earlier one",
    );
    assert.equal(counters.exceededUntil({ accountId: "a" }, again, 2, 1), undefined);
    assert.equal(counters.size, 1);
  });

  test("tell long keys apart, whatever they begin with", () => {
    const counters = new RateCounters(bounds);
    const long = "a".repeat(100_000);
    assert.deepEqual(
      [`${long}1`, `${long}2`, `${long}1`].map((key) => visit(counters, "a", key)),
      [false, false, true],
    );
  });

  test("count no response that the expression leaves out", () => {
    const counters = new RateCounters(bounds);
    const limit: RunnableLimit = {
      ...limitOf(1),
      counts: () => false,
      countsAnswers: true,
    };
    const limited = { ruleId: "a", limit, key: "a", request: createContext({}) };
    counters.countAnswer({ accountId: "a" }, limited, { status: 401, headers: [] }, 0);
    assert.equal(counters.size, 0);
  });
});
