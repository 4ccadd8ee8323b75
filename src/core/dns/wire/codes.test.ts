import assert from "node:assert/strict";
import { test } from "node:test";

import { rcodeName, rcodes } from "./codes.ts";

test("response codes have their numbers", () => {
  assert.deepEqual([rcodes.NXDOMAIN, rcodeName(5), rcodeName(11)], [3, "REFUSED", "RCODE11"]);
});
