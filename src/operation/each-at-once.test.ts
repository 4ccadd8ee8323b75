import assert from "node:assert/strict";
import { test } from "node:test";

import { eachAtOnce } from "./pause.ts";

test("each item is worked on once, for no more of them at the same time than asked for", async () => {
  const began: number[] = [];
  const items = Array.from({ length: 20 }, (_, n) => n);
  let running = 0;
  let most = 0;
  await eachAtOnce(items, 4, async (item) => {
    began.push(item);
    running += 1;
    most = Math.max(most, running);
    for (let turn = 0; turn <= item % 3; turn += 1) await new Promise(setImmediate);
    running -= 1;
  });
  assert.deepEqual([began, most, running], [items, 4, 0]);
});

test("after a failure no other item begins, and it is thrown once all that began have ended", async () => {
  const [began, ended]: [number[], number[]] = [[], []];
  const failing = eachAtOnce([1, 2, 3, 4, 5], 2, async (item) => {
    began.push(item);
    if (item === 2) throw new Error("the second");
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
    ended.push(item);
  });
  await assert.rejects(failing, /the second/);
  assert.deepEqual([began, ended], [[1, 2], [1]]);
});
