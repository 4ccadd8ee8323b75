import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

import { GatheredOctets } from "./gathered-octets.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

function bytesUsed(): number {
  collectGarbage();
  // Another thread may still be freeing the buffers that the first collection found. The second one waits for it.
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

test("octets that arrive one by one take little memory beside their own", () => {
  const count = 131_072;
  const before = bytesUsed();
  const gathered = new GatheredOctets();
  for (let at = 0; at < count; at += 1) gathered.add(Buffer.alloc(1, at));
  const held = bytesUsed() - before;
  assert.ok(held < 16 * count, `${held} octets are held`);
  assert.equal(gathered.length, count);
  const octets = gathered.take();
  assert.ok(octets.length === count && octets.every((octet, at) => octet === at % 256));
  assert.deepEqual([gathered.length, gathered.whole().length], [0, 0]);
});
