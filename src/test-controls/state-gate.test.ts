import assert from "node:assert/strict";
import { test } from "node:test";

import { StateGate } from "./state-gate.ts";

const waitMs = 5_000;

test("a change of the state waits for timers as long as they run, and for requests five seconds", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const gate = new StateGate();
  const round = Promise.withResolvers<void>();
  const timer = gate.share(() => round.promise);
  const leave = await new Promise<() => void>((entered) => gate.use(entered));
  let changes = 0;
  const change = () => gate.alone(async () => (changes += 1));

  const refused = change();
  t.mock.timers.tick(waitMs);
  await assert.rejects(refused, /Other requests still run/);
  assert.equal(changes, 0);

  leave();
  const waiting = change();
  t.mock.timers.tick(10 * waitMs);
  round.resolve();
  await Promise.all([timer, waiting]);
  assert.equal(changes, 1);
});
