import assert from "node:assert/strict";
import { describe, test } from "node:test";

import * as fc from "fast-check";

import { ask, zone } from "../../../../test/support/served-zones.ts";
import type { StoredRecord } from "./record-sets.ts";

describe("a zone that was changed name by name", () => {
  const label = fc.constantFrom("a", "b", "*");
  const names = fc
    .array(label, { minLength: 1, maxLength: 3 })
    .filter((labels) => labels.slice(1).every((one) => one !== "*"))
    .map((labels) => `${labels.join(".")}.example.com`);
  const records = fc.constantFrom<StoredRecord[]>(
    [],
    [{ type: "A", content: "192.0.2.1", ttl: 60, proxied: false, settings: {} }],
    [{ type: "NS", content: "ns.a.example.com", ttl: 60, proxied: false, settings: {} }],
    [{ type: "CNAME", content: "b.example.com", ttl: 60, proxied: false, settings: {} }],
  );

  test("answers as one that is made anew", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(names, records), { maxLength: 12 }), (changes) => {
        const changed = zone("example.com", []);
        for (const [name, its] of changes) changed.setRecords(name, its);
        const fresh = zone("example.com", []);
        for (const [name, its] of new Map(changes)) if (its.length > 0) fresh.setRecords(name, its);
        assert.equal(changed.size, fresh.size);
        const asked = changes.flatMap(([name]) => [name, `x.${name}`, name.replace(/^[^.]+\./, "")]);
        for (const name of asked) {
          for (const type of ["A", "NS", "DS"]) {
            assert.deepEqual(ask([changed], `${name} ${type}`), ask([fresh], `${name} ${type}`));
          }
        }
      }),
    );
  });
});
