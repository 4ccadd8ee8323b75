import assert from "node:assert/strict";
import { describe, test } from "node:test";

import * as fc from "fast-check";

import type { StoredRecord } from "./record-sets.ts";
import type { OwnedSet } from "./record-sets.ts";
import type { ZoneSnapshot } from "./zone-snapshot.ts";
import { ZoneView } from "./zone-view.ts";

const apexAt = (serial: number) => ({
  name: "example.com",
  nameServers: ["ns1.test.net"],
  hostmaster: "dns.test.net",
  serial,
});
const newZone = (): ZoneView => new ZoneView(apexAt(1), { edge: undefined, flattensAll: false });

/** A name, and the addresses that it has from then on. */
type Change = readonly [name: string, addresses: readonly number[]];
const change: fc.Arbitrary<Change> = fc.tuple(
  fc.constantFrom("example.com", "a.example.com", "b.example.com", "c.b.example.com", "*.b.example.com"),
  fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { maxLength: 3 }),
);

function apply(zone: ZoneView, [name, addresses]: Change): void {
  const records = addresses.map((last): StoredRecord => ({
    type: "A",
    content: `192.0.2.${last}`,
    ttl: 60,
    proxied: false,
    settings: {},
  }));
  zone.setRecords(name, records);
}

const flat = ({ name, set }: OwnedSet): string[] =>
  set.rdatas.map((rdata) => `${name} ${set.type} ${set.ttl} ${Buffer.from(rdata, "latin1").toString("hex")}`);

/** The records of a zone, without SOA. */
function* told(zone: ZoneView, snapshot: ZoneSnapshot): Generator<string[]> {
  for (const [name, its] of snapshot.names()) {
    yield zone.transferredAt(name, its).sets.flatMap((set) => flat({ name, set }));
  }
}

const recordsOf = (zone: ZoneView): string[] => [...told(zone, zone.snapshot())].flat().toSorted();

describe("a zone", () => {
  test("is told by a snapshot as it was, whatever changes meanwhile", () => {
    const steps = fc.array(fc.oneof(change, fc.constant("tell" as const)), { maxLength: 40 });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 20 }), steps, (before, meanwhile) => {
        const zone = newZone();
        for (const one of before) apply(zone, one);
        const expected = recordsOf(zone);
        const reading = told(zone, zone.snapshot());
        const records: string[] = [];
        for (const step of meanwhile) {
          if (step === "tell") records.push(...(reading.next().value ?? []));
          else apply(zone, step);
        }
        for (const rest of reading) records.push(...rest);
        assert.deepEqual(records.toSorted(), expected);
      }),
    );
  });

  test("has in its journal what makes of an earlier content the latest one", () => {
    fc.assert(
      fc.property(fc.array(fc.array(change, { maxLength: 5 }), { minLength: 1, maxLength: 8 }), (batches) => {
        const zone = newZone();
        zone.beginJournal();
        const contents = new Map([[1, recordsOf(zone)]]);
        for (const [index, batch] of batches.entries()) {
          for (const one of batch) apply(zone, one);
          zone.changeApex(apexAt(index + 2));
          contents.set(zone.serial, recordsOf(zone));
          assert.equal(zone.recordCount, contents.get(zone.serial)?.length);
        }
        for (const [serial, content] of contents) {
          const records = new Set(content);
          for (const { removed, added } of zone.journal.since(serial) ?? []) {
            for (const record of removed.flatMap(flat)) assert.ok(records.delete(record), record);
            for (const record of added.flatMap(flat)) {
              assert.ok(!records.has(record), record);
              records.add(record);
            }
          }
          assert.deepEqual([...records].toSorted(), contents.get(zone.serial));
        }
      }),
    );
  });

  test("keeps no more changes than it has records, or than are kept of any zone", () => {
    const zone = newZone();
    zone.beginJournal();
    for (let serial = 2; serial <= 500; serial += 1) {
      apply(zone, ["a.example.com", [serial % 4, 4 + (serial % 4)]]);
      zone.changeApex(apexAt(serial));
    }
    assert.equal(zone.journal.since(1), undefined);
    const kept = zone.journal.since(490);
    assert.equal(kept?.length, 10);
  });

  test("does not tell changes of what is flattened in transfers", () => {
    const zone = newZone();
    zone.beginJournal();
    zone.setRecords("example.com", [
      { type: "CNAME", content: "target.test.net", ttl: 60, proxied: false, settings: {} },
    ]);
    zone.changeApex(apexAt(2));
    apply(zone, ["a.example.com", [1]]);
    zone.changeApex(apexAt(3));
    apply(zone, ["example.com", []]);
    zone.changeApex(apexAt(4));
    for (const serial of [1, 2, 3]) assert.equal(zone.journal.since(serial), undefined);
    apply(zone, ["a.example.com", [2]]);
    zone.changeApex(apexAt(5));
    assert.equal(zone.journal.since(4)?.length, 1);
  });
});
