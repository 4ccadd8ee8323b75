import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { uuidV7Generator } from "./open-store.ts";

describe("uuidV7Generator", () => {
  test("each UUID is greater than the one before, within a millisecond and when the clock goes back", () => {
    const newUuid = uuidV7Generator();
    const start = Date.parse("2026-01-02T03:04:05.678Z");
    const clock = [...Array.from({ length: 10_000 }, () => start), start - 5_000, start - 1, start + 60_000];
    const made = clock.map((time) => newUuid(new Date(time)));
    for (const uuid of made) {
      assert.match(uuid, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    }
    assert.deepEqual(made.toSorted(), made);
    assert.equal(new Set(made).size, made.length);
    assert.equal(made[0]?.replace("-", "").slice(0, 12), start.toString(16).padStart(12, "0"));
  });
});
