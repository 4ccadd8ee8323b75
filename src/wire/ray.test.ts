import assert from "node:assert/strict";
import { test } from "node:test";

import { rayGenerator } from "./ray.ts";

test("ray ids do not repeat, also of several processes, and none tells another one", () => {
  const generators = [rayGenerator("ZWD"), rayGenerator("ZWD")];
  const rays = Array.from({ length: 10_000 }, () => generators.map((newRay) => newRay())).flat();
  assert.equal(new Set(rays).size, rays.length);
  for (const ray of rays) assert.match(ray, /^[0-9a-f]{16}-ZWD$/);
  const ids = rays.map((ray) => BigInt(`0x${ray.slice(0, 16)}`));
  // The steps of a counter, and what it is multiplied by, show in differences that come again.
  const steps = ids.slice(2).map((id, at) => BigInt.asUintN(64, id - (ids[at] ?? 0n)));
  assert.equal(new Set(steps).size, steps.length);
  const turns = steps.slice(2).map((step, at) => BigInt.asUintN(64, step - (steps[at] ?? 0n)));
  assert.equal(new Set(turns).size, turns.length);
  for (let bit = 0n; bit < 64n; bit += 1n) {
    const set = ids.filter((id) => (id >> bit) & 1n).length / ids.length;
    assert.ok(set > 0.47 && set < 0.53, `bit ${bit} is set in ${set} of all`);
  }
});
