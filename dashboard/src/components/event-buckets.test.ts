import assert from "node:assert/strict";
import { test } from "node:test";

import { outcomeOf, toBuckets } from "./event-buckets.ts";

test("counts of actions are added up by outcome, in stretches without a gap", () => {
  const at = (minute: number, action: string, count: number) => ({
    count,
    dimensions: { action, datetimeMinute: new Date(minute * 60_000).toISOString() },
  });
  const buckets = toBuckets(
    [
      at(0, "block", 5_000),
      at(0, "js_challenge", 1),
      at(0, "managed_challenge", 2),
      at(2, "log", 3),
      at(4, "block", 1),
    ],
    "datetimeMinute",
    { from: 30_000, to: 150_000 },
  );
  assert.deepEqual(
    buckets.map(({ start, counts }) => [start, counts.block, counts.challenge, counts.log]),
    [
      [0, 5_000, 3, 0],
      [60_000, 0, 0, 0],
      [120_000, 0, 0, 3],
    ],
  );
});

test("all challenges are one outcome, and what only notes a request is another", () => {
  assert.deepEqual(["js_challenge", "challenge", "simulate", "skip"].map(outcomeOf), [
    "challenge",
    "challenge",
    "log",
    "other",
  ]);
});
