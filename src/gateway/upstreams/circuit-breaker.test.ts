import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { createCircuitBreaker } from "./upstream-member.ts";

function broken(): { breaker: ReturnType<typeof createCircuitBreaker>; clock: { ms: number } } {
  const clock = { ms: 0 };
  const breaker = createCircuitBreaker(() => clock.ms);
  for (let failure = 0; failure < 5; failure += 1) {
    assert.equal(breaker.admits(), true);
    breaker.begin();
    breaker.fail();
  }
  return { breaker, clock };
}

describe("a circuit breaker", () => {
  test("opens after five consecutive failures, and not if a call between them succeeded", () => {
    const { breaker } = broken();
    assert.equal(breaker.admits(), false);
    const other = createCircuitBreaker(() => 0);
    for (let call = 0; call < 20; call += 1) {
      other.begin();
      if (call % 4 === 3) other.succeed();
      else other.fail();
    }
    assert.equal(other.admits(), true);
  });

  test("lets one call through after a while, and closes when that succeeds", () => {
    const { breaker, clock } = broken();
    clock.ms = 2_000;
    assert.equal(breaker.admits(), true);
    breaker.begin();
    assert.equal(breaker.admits(), false);
    breaker.succeed();
    assert.equal(breaker.admits(), true);
  });

  test("waits twice as long each time that it does not, for a minute at most", () => {
    const { breaker, clock } = broken();
    for (const waitMs of [2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]) {
      clock.ms += waitMs - 1;
      assert.equal(breaker.admits(), false, `${waitMs}`);
      clock.ms += 1;
      assert.equal(breaker.admits(), true, `${waitMs}`);
      breaker.begin();
      breaker.fail();
    }
  });

  test("lets another call through when the probe was aborted", () => {
    const { breaker, clock } = broken();
    clock.ms = 2_000;
    breaker.begin();
    breaker.forget();
    assert.equal(breaker.admits(), true);
  });

  test("leaves an upstream alone for as long as it asks, for a minute at most", () => {
    const clock = { ms: 0 };
    const breaker = createCircuitBreaker(() => clock.ms);
    breaker.pause(3_600_000);
    clock.ms = 59_999;
    assert.equal(breaker.admits(), false);
    clock.ms = 60_000;
    assert.equal(breaker.admits(), true);
  });
});
