import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { assert as assertProperty, constantFrom, integer, array, property, record } from "fast-check";

import { clientNetwork } from "./client-network.ts";
import { RateWindows, type RateLimit } from "./rate-windows.ts";

/** What the windows say, by the list of all times at which one key came. */
class EveryArrival {
  readonly #limit: RateLimit;
  #beganAt = -Infinity;
  #arrivals: number[] = [];
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
      this.#arrivals = [];
    }
    this.#arrivals.push(now);
    if (this.#arrivals.length <= quota) return false;
    this.#blockedUntil = penaltyMs === undefined ? this.#beganAt + windowMs : now + penaltyMs;
    return true;
  }
}

describe("rate windows", () => {
  test("refuse what a list of all arrivals refuses, for each key on its own", () => {
    const arrivals = array(record({ key: constantFrom("a", "b", "c"), after: integer({ min: 0, max: 40 }) }));
    const limits = record({
      quota: integer({ min: 1, max: 4 }),
      windowMs: integer({ min: 1, max: 60 }),
      penaltyMs: constantFrom(undefined, 1, 50, 200),
    });
    assertProperty(
      property(limits, arrivals, ({ penaltyMs, ...rest }, sequence) => {
        const limit = { ...rest, ...(penaltyMs !== undefined && { penaltyMs }) };
        const windows = new RateWindows(limit);
        const oracles = new Map(["a", "b", "c"].map((key) => [key, new EveryArrival(limit)]));
        let now = 0;
        for (const { key, after } of sequence) {
          now += after;
          const isUsedUp = windows.isUsedUp(key, now);
          const standing = windows.count(key, now);
          assert.equal(standing.isExceeded, oracles.get(key)?.isExceeded(now));
          assert.equal(isUsedUp, standing.isExceeded);
          assert.ok(standing.resetsAt > now);
          assert.ok(standing.remaining >= 0 && standing.remaining < limit.quota);
        }
      }),
    );
  });

  test("hold no more keys than they may, and forget those whose time is over", () => {
    const windows = new RateWindows({ quota: 1, windowMs: 1_000 }, 100);
    for (let index = 0; index < 1_000; index += 1) windows.count(`at once ${index}`, 0);
    assert.equal(windows.size, 100);
    for (let index = 0; index < 1_000; index += 1) windows.count(`later ${index}`, 1_000 + index * 100);
    assert.ok(windows.size <= 11, String(windows.size));
  });

  test("a clock that is set back prolongs nothing", () => {
    const windows = new RateWindows({ quota: 1, windowMs: 1_000, penaltyMs: 5_000 });
    windows.count("a", 1_000_000);
    assert.equal(windows.count("a", 1_000_000).isExceeded, true);
    assert.equal(windows.count("a", 500_000).isExceeded, false);
  });
});

describe("clientNetwork", () => {
  test("is one for every spelling of an IPv4 address and for a /64 of IPv6", () => {
    const same = [
      ["192.0.2.1", "::ffff:192.0.2.1", "::FFFF:c000:201"],
      ["192.0.2.2"],
      ["2001:db8::1", "2001:db8:0:0:ffff::", "2001:db8::2%eth0"],
      ["2001:db8:0:1::1"],
      ["@"],
    ];
    const networks = same.map((addresses) => new Set(addresses.map(clientNetwork)));
    assert.deepEqual(
      networks.map((set) => set.size),
      same.map(() => 1),
    );
    assert.equal(new Set(networks.map((set) => [...set].join())).size, same.length);
  });
});
