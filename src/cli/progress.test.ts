import assert from "node:assert/strict";
import { test } from "node:test";

import { renderProgress, withProgress } from "./progress.ts";

test("a bar shows the part that is done, and never more than all of it", () => {
  assert.equal(
    renderProgress(1_000, 2_000, "rows, zones"),
    `[${"#".repeat(15)}${"-".repeat(15)}]  50 %  1,000 of 2,000 rows, zones`,
  );
  assert.equal(renderProgress(0, 0, "rows, zones"), `[${"#".repeat(30)}] 100 %  0 of 0 rows, zones`);
  assert.match(renderProgress(3, 2, "zones"), /^\[#{30}\] 100 %/);
});

test("a command that fails leaves an empty line to what is said of it", async () => {
  const written: string[] = [];
  const terminal = { isTTY: true, write: (text: string | Uint8Array) => written.push(String(text)) > 0 };
  const failing = withProgress(async (progress) => {
    progress.show(1, 2, "zones");
    throw new Error("the store is gone");
  }, terminal);
  await assert.rejects(failing, /the store is gone/);
  assert.match(written[0] ?? "", /1 of 2 zones$/);
  assert.equal(written.at(-1), "\r\u001b[K");
});

test("where nobody looks on, nothing is written", async () => {
  const written: string[] = [];
  const log = { isTTY: false, write: (text: string | Uint8Array) => written.push(String(text)) > 0 };
  assert.equal(await withProgress(async (progress) => progress.show(1, 2, "zones"), log), undefined);
  assert.deepEqual(written, []);
});
