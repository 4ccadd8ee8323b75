import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as fc from "fast-check";
import type { StoredRecord } from "./record-sets.ts";
import type { OwnedSet } from "../wire/record-data.ts";
import { signingOf } from "../../../../test/support/zone-signing.ts";
import type { ZoneSigning } from "../dnssec/zone-signer.ts";
import { type ZoneSnapshot, ZoneView } from "./zone-view.ts";

const apexAt = (serial: number) => ({
  name: "example.com",
  nameServers: ["ns1.test.net"],
  hostmaster: "dns.test.net",
  serial,
});
const newZone = (signing?: ZoneSigning): ZoneView => {
  const zone = new ZoneView(apexAt(1), { edge: undefined, flattensAll: false }, signing);
  Array.from(zone.link());
  return zone;
};

const signings = fc.option(
  fc.record({ usesNsec3: fc.boolean(), isMultiSigner: fc.boolean(), isWithdrawn: fc.boolean() }),
  { nil: undefined },
);

/** A name, the addresses that it has from then on, and whether it is delegated then. */
type Change = readonly [name: string, addresses: readonly number[], isCut: boolean];
const change: fc.Arbitrary<Change> = fc.tuple(
  fc.constantFrom(
    "example.com",
    "a.example.com",
    "b.example.com",
    "c.b.example.com",
    "*.b.example.com",
    "e.d.c.b.example.com",
  ),
  fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { maxLength: 3 }),
  fc.boolean(),
);

function apply(zone: ZoneView, [name, addresses, isCut]: Change): void {
  const others = { ttl: 60, proxied: false, settings: {} };
  const records = addresses.map((last): StoredRecord => ({
    type: "A",
    content: `192.0.2.${last}`,
    ...others,
  }));
  const servers: StoredRecord[] = isCut ? [{ type: "NS", content: "ns.test.net", ...others }] : [];
  zone.setRecords(name, [...records, ...servers]);
}

const flat = ({ name, set }: OwnedSet): string[] =>
  set.rdatas.map((rdata) => `${name} ${set.type} ${set.ttl} ${Buffer.from(rdata, "latin1").toString("hex")}`);

/** The records of a zone, without SOA. */
function* told(snapshot: ZoneSnapshot): Generator<string[]> {
  for (const its of snapshot.names()) yield Array.from(snapshot.sets(its, []), flat).flat();
}

const recordsOf = (zone: ZoneView): string[] => [...told(zone.snapshot())].flat().toSorted();

describe("a zone", () => {
  test("is told by a snapshot as it was, whatever changes meanwhile", () => {
    const steps = fc.array(fc.oneof(change, fc.constant("tell" as const)), { maxLength: 40 });
    fc.assert(
      fc.property(signings, fc.array(change, { maxLength: 20 }), steps, (how, before, meanwhile) => {
        const zone = newZone(how && signingOf(how));
        for (const one of before) apply(zone, one);
        zone.changeApex(apexAt(2));
        const expected = recordsOf(zone);
        const reading = told(zone.snapshot());
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

  test("keeps the step of one record more at a name that has many", () => {
    const zone = newZone();
    const addresses = Array.from({ length: 200 }, (_, index) => index);
    apply(zone, ["a.example.com", addresses, false]);
    zone.changeApex(apexAt(2));
    apply(zone, ["a.example.com", [...addresses, 200], false]);
    zone.changeApex(apexAt(3));
    assert.deepEqual(
      zone.journal.since(2)?.map(({ size }) => size),
      [3],
    );
  });

  const batch = fc.record({
    changes: fc.array(change, { maxLength: 5 }),
    days: fc.constantFrom(0, 0, 1, 2, 9),
  });

  test("has in its journal what makes of an earlier content the latest one", () => {
    fc.assert(
      fc.property(signings, fc.array(batch, { minLength: 1, maxLength: 8 }), (how, batches) => {
        let signing = how && signingOf(how);
        const zone = newZone(signing);
        zone.beginJournal();
        const contents = new Map([[1, recordsOf(zone)]]);
        for (const [index, { changes, days }] of batches.entries()) {
          for (const one of changes) apply(zone, one);
          signing = signing && { ...signing, day: signing.day + days };
          zone.changeApex(apexAt(index + 2), signing);
          contents.set(zone.serial, recordsOf(zone));
          assert.equal(zone.recordCount, contents.get(zone.serial)?.length);
        }
        for (const [serial, content] of contents) {
          const steps = serial === zone.serial ? [] : zone.journal.since(serial);
          // There were too many.
          if (steps === undefined) continue;
          const records = new Set(content);
          for (const step of steps) {
            const [removed, added] = [step.removed(), step.added()].map((sets) =>
              Array.from(sets, flat).flat(),
            );
            for (const record of removed ?? []) assert.ok(records.delete(record), record);
            for (const record of added ?? []) {
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
      apply(zone, ["a.example.com", [serial % 4, 4 + (serial % 4)], false]);
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
    apply(zone, ["a.example.com", [1], false]);
    zone.changeApex(apexAt(3));
    apply(zone, ["example.com", [], false]);
    zone.changeApex(apexAt(4));
    for (const serial of [1, 2, 3]) assert.equal(zone.journal.since(serial), undefined);
    apply(zone, ["a.example.com", [2], false]);
    zone.changeApex(apexAt(5));
    assert.equal(zone.journal.since(4)?.length, 1);
  });

  test("is signed alike, whether it was read whole or changed name by name", () => {
    fc.assert(
      fc.property(signings, fc.array(batch, { maxLength: 8 }), (how, batches) => {
        const signing = signingOf(how ?? {});
        const zone = newZone(signing);
        for (const [index, { changes }] of batches.entries()) {
          for (const one of changes) apply(zone, one);
          zone.changeApex(apexAt(index + 2), signing);
        }
        const whole = new ZoneView(
          apexAt(batches.length + 1),
          { edge: undefined, flattensAll: false },
          signing,
        );
        for (const one of batches.flatMap(({ changes }) => changes)) apply(whole, one);
        Array.from(whole.link());
        assert.deepEqual(recordsOf(zone), recordsOf(whole));
      }),
    );
  });
});
