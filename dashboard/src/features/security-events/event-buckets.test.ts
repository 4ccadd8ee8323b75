import assert from "node:assert/strict";
import { test } from "node:test";

import { outcomeOf, toBuckets } from "./event-buckets.ts";

test("events are counted by outcome in the stretch that they fall into, those at its ends too", () => {
  const at = (minute: number, action: string) => ({
    action,
    datetime: new Date(minute * 60_000).toISOString(),
  });
  const buckets = toBuckets(
    [at(0, "block"), at(1, "managed_challenge"), at(2, "log"), at(4, "block"), at(-1, "block")],
    0,
    4 * 60_000,
    2,
  );
  assert.deepEqual(
    buckets.map(({ start, counts }) => [start, counts.block, counts.challenge, counts.log]),
    [
      [0, 1, 1, 0],
      [120_000, 1, 0, 1],
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
