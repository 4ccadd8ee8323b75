import assert from "node:assert/strict";
import { test } from "node:test";

import { renderProgress } from "./progress.ts";

test("a bar shows the part that is done, and never more than all of it", () => {
  assert.equal(
    renderProgress(1_000, 2_000, "rows, zones"),
    `[${"#".repeat(15)}${"-".repeat(15)}]  50 %  1,000 of 2,000 rows, zones`,
  );
  assert.equal(renderProgress(0, 0, "rows, zones"), `[${"#".repeat(30)}] 100 %  0 of 0 rows, zones`);
  assert.match(renderProgress(3, 2, "zones"), /^\[#{30}\] 100 %/);
});
