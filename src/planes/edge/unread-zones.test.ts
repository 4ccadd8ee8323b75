import assert from "node:assert/strict";
import { test } from "node:test";

import { UnreadZones } from "./unread-zones.ts";

test("zones that were not read yet are read one of each account in turn", async () => {
  const zones = new UnreadZones();
  const read: string[] = [];
  for (const id of ["b1", "b2", "b3", "a1", "c1", "a2"]) {
    const zone = { id, name: `${id}.example`, accountId: id.slice(0, 1) };
    zones.add({ ...zone, read: async () => void read.push(id) });
  }
  await zones.readAll(1);
  assert.deepEqual(read, ["b1", "a1", "c1", "b2", "a2", "b3"]);
  assert.equal(zones.size, 0);
});
