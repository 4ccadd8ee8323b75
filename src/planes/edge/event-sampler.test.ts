import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { EventSampler } from "./event-sampler.ts";

const whole = 10;

function sample(count: number, random: () => number = Math.random): number[] {
  const sampler = new EventSampler({ whole, random, nowMs: () => 0 });
  return Array.from({ length: count }, () => sampler.intervalOf("zone"));
}

test("the chosen requests of a second stand for as many as there were, within the interval at the end", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 5_000 }), (count) => {
      const chosen = sample(count).filter((interval) => interval > 0);
      const stoodFor = chosen.reduce((sum, interval) => sum + interval, 0);
      const last = chosen.at(-1) ?? 1;
      assert.ok(Math.abs(stoodFor - count) <= 2 * last, `${stoodFor} for ${count}`);
      // Half as many for each doubling.
      assert.ok(chosen.length <= whole + (whole / 2) * Math.ceil(Math.log2(Math.max(1, count / whole)) + 1));
    }),
  );
});

test("the first requests of a second are all chosen, and of those behind them one at random in each interval", () => {
  assert.deepEqual(
    sample(whole),
    Array.from({ length: whole }, () => 1),
  );
  assert.deepEqual(sample(whole + 4, () => 0).slice(whole), [2, 0, 2, 0]);
  assert.deepEqual(sample(whole + 4, () => 0.99).slice(whole), [0, 2, 0, 2]);
  assert.deepEqual(sample(2 * whole + 8, () => 0.6).slice(2 * whole), [0, 0, 4, 0, 0, 0, 4, 0]);
});

test("each zone and each second begins anew", () => {
  let nowMs = 500;
  const sampler = new EventSampler({ whole, random: () => 0.99, nowMs: () => nowMs });
  for (let n = 0; n < whole; n += 1) sampler.intervalOf("flooded");
  nowMs = 999;
  assert.deepEqual([sampler.intervalOf("flooded"), sampler.intervalOf("quiet")], [0, 1]);
  nowMs = 1_000;
  assert.equal(sampler.intervalOf("flooded"), 1);
});
