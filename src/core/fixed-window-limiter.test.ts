import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { assert as assertProperty, constantFrom, integer, array, property, record } from "fast-check";

import { FixedWindowLimiter, type RateLimit } from "./fixed-window-limiter.ts";

/** The same rules over a list of all events of one key. */
class ListOfEvents {
  readonly #limit: RateLimit;
  #beganAt = -Infinity;
  #events: number[] = [];
  #blockedUntil = -Infinity;

  constructor(limit: RateLimit) {
    this.#limit = limit;
  }

  isExceeded(now: number): boolean {
    if (now < this.#blockedUntil) return true;
    const { quota, windowMs, penaltyMs } = this.#limit;
    const isOver = now >= this.#beganAt + windowMs || this.#blockedUntil > this.#beganAt;
    if (isOver) {
      this.#beganAt = now;
      this.#events = [];
    }
    this.#events.push(now);
    if (this.#events.length <= quota) return false;
    this.#blockedUntil = penaltyMs === undefined ? this.#beganAt + windowMs : now + penaltyMs;
    return true;
  }
}

describe("a fixed-window limiter", () => {
  test("refuses what a list of all events refuses, for each key on its own", () => {
    const events = array(record({ key: constantFrom("a", "b", "c"), after: integer({ min: 0, max: 40 }) }));
    const limits = record({
      quota: integer({ min: 1, max: 4 }),
      windowMs: integer({ min: 1, max: 60 }),
      penaltyMs: constantFrom(undefined, 1, 50, 200),
    });
    assertProperty(
      property(limits, events, ({ penaltyMs, ...rest }, sequence) => {
        const limit = { ...rest, ...(penaltyMs !== undefined && { penaltyMs }) };
        const limiter = new FixedWindowLimiter(limit);
        const oracles = new Map(["a", "b", "c"].map((key) => [key, new ListOfEvents(limit)]));
        let now = 0;
        for (const { key, after } of sequence) {
          now += after;
          const isUsedUp = limiter.isUsedUp(key, now);
          const status = limiter.count(key, now);
          assert.equal(status.isExceeded, oracles.get(key)?.isExceeded(now));
          assert.equal(isUsedUp, status.isExceeded);
          assert.ok(status.resetsAt > now);
          assert.ok(status.remaining >= 0 && status.remaining < limit.quota);
        }
      }),
    );
  });

  test("counts an amount like as many events at once, says from when to when a key exceeds, and forgets it when told", () => {
    const events = array(
      record({ amount: integer({ min: 1, max: 4 }), after: integer({ min: 0, max: 40 }) }),
    );
    const penalties = constantFrom(undefined, 1, 50, 200);
    assertProperty(
      property(integer({ min: 1, max: 6 }), penalties, events, (quota, penaltyMs, sequence) => {
        const limit = { quota, windowMs: 60, ...(penaltyMs !== undefined && { penaltyMs }) };
        const limiter = new FixedWindowLimiter(limit);
        const oneByOne = new FixedWindowLimiter(limit);
        let now = 1_000;
        for (const { amount, after } of sequence) {
          now += after;
          for (let count = 1; count < amount; count += 1) oneByOne.count("a", now);
          const status = limiter.count("a", now, amount);
          assert.deepEqual(status, oneByOne.count("a", now));
          const { resetsAt: endsAt, isExceeded } = status;
          const window = { beganAt: endsAt - (penaltyMs ?? 60), endsAt };
          assert.deepEqual(limiter.exceeded("a", now), isExceeded ? window : undefined);
        }
        limiter.end("a");
        assert.equal(limiter.exceeded("a", now), undefined);
        assert.equal(limiter.count("a", now).remaining, quota - 1);
      }),
    );
  });

  test("keeps no more keys than it may, and drops those whose window has ended", () => {
    const limiter = new FixedWindowLimiter({ quota: 1, windowMs: 1_000 }, 100);
    for (let index = 0; index < 1_000; index += 1) limiter.count(`at once ${index}`, 0);
    assert.equal(limiter.size, 100);
    for (let index = 0; index < 1_000; index += 1) limiter.count(`later ${index}`, 1_000 + index * 100);
    assert.ok(limiter.size <= 11, String(limiter.size));
  });

  test("is not prolonged by a clock that is set back", () => {
    const limiter = new FixedWindowLimiter({ quota: 1, windowMs: 1_000, penaltyMs: 5_000 });
    limiter.count("a", 1_000_000);
    assert.equal(limiter.count("a", 1_000_000).isExceeded, true);
    assert.equal(limiter.count("a", 500_000).isExceeded, false);
  });
});
