import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { pino } from "pino";

import { until } from "../../test/support/harness.ts";
import { repeat } from "./timer.ts";

const never = 2 ** 30;
const silent = pino({ level: "silent" });

describe("repeat", () => {
  test("a timer that is woken while a round runs begins another right after it, and no second beside it", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    let [begun, running, most] = [0, 0, 0];
    const timer = repeat(
      "round",
      never,
      async () => {
        begun += 1;
        running += 1;
        most = Math.max(most, running);
        if (begun === 1) await promise;
        running -= 1;
      },
      silent,
    );
    timer.wake();
    await until("the first round", () => begun === 1);
    timer.wake();
    timer.wake();
    resolve();
    await until("the second round", () => begun === 2);
    await timer.stop();
    timer.wake();
    assert.deepEqual([begun, most], [2, 1]);
  });

  test("a round that fails is logged with the name of its task and does not end the timer", async () => {
    const lines: string[] = [];
    let rounds = 0;
    const round = async (): Promise<void> => {
      rounds += 1;
      if (rounds === 1) throw new Error("out of order");
    };
    const timer = repeat("round", 1, round, pino({}, { write: (line: string) => void lines.push(line) }));
    await until("a round after the failure", () => rounds > 1);
    await timer.stop();
    assert.equal(lines.length, 1);
    const { task, msg, err } = JSON.parse(lines[0] ?? "") as Record<string, unknown>;
    assert.deepEqual([task, msg], ["round", "a timer failed"]);
    assert.match(JSON.stringify(err), /out of order/);
  });

  test("stop waits for the round that runs", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    let [begun, ended] = [false, false];
    const timer = repeat(
      "round",
      never,
      async () => {
        begun = true;
        await promise;
        ended = true;
      },
      silent,
    );
    timer.wake();
    await until("the round", () => begun);
    const stopped = timer.stop();
    resolve();
    await stopped;
    assert.equal(ended, true);
  });
});
