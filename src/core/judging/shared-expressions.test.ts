import assert from "node:assert/strict";
import { test } from "node:test";

import { SharedExpressions } from "./shared-expressions.ts";

const freed: string[] = [];
const compile = (source: string) => ({ source, octets: source.length, free: () => void freed.push(source) });

test("an expression that programs share counts once, for one of them after the other, until the last is gone", () => {
  const shared = new SharedExpressions(compile);
  const changes: string[] = [];
  const [one, other] = ["one", "other"].map((name) => shared.lease(() => changes.push(name)));
  assert.ok(one !== undefined && other !== undefined);
  one.get("ssl");
  one.get("ssl");
  other.get("ssl");
  other.get("not ssl");
  assert.deepEqual([one.octets(), other.octets()], [3, 7]);
  one.release();
  assert.deepEqual([freed, other.octets()], [[], 10]);
  assert.deepEqual(changes, ["one", "other", "other"]);
  other.release();
  assert.deepEqual(freed.toSorted(), ["not ssl", "ssl"]);
  assert.equal(shared.size, 0);
});
