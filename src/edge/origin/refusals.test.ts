import assert from "node:assert/strict";
import { test } from "node:test";

import { Refusals } from "./origin-connections.ts";

test("a target that took no connection is tried last for ten seconds, and then in its turn again", () => {
  let nowMs = 0;
  const refusals = new Refusals(() => nowMs);
  const [one, other, third] = ["192.0.2.1", "192.0.2.2", "192.0.2.3"].map((address) => ({
    address,
    port: 80,
    tls: undefined,
  }));
  assert.ok(one !== undefined && other !== undefined && third !== undefined);
  const targets = [one, other, third];
  assert.deepEqual(refusals.behind(targets), targets);
  refusals.add(one);
  assert.deepEqual(refusals.behind(targets), [other, third, one]);
  assert.deepEqual(refusals.behind([one]), [one], "the only one is tried all the same");
  assert.deepEqual(refusals.behind([{ ...one, port: 81 }, other]), [{ ...one, port: 81 }, other]);
  nowMs = 10_000;
  assert.deepEqual(refusals.behind(targets), targets);
});
