import assert from "node:assert/strict";
import { describe, test } from "node:test";

import * as fc from "fast-check";

import { ask, zone } from "../../../../test/support/served-zones.ts";
import { signingOf } from "../../../../test/support/zone-signing.ts";
import { sha1 } from "../../../resources/dnssec/p256.ts";
import { typeCodes } from "../wire/codes.ts";
import type { WireRecord } from "./record-sets.ts";
import { ZoneView } from "./zone-view.ts";

const apex = {
  name: "example.com",
  nameServers: ["ns1.test.net", "ns2.test.net"],
  hostmaster: "dns.test.net",
};

/** A zone as a transfer of `signed` makes it, records of the primary's own types included. */
function transferredFrom(signed: ZoneView): ZoneView {
  const view = new ZoneView(
    { ...apex, serial: signed.serial },
    { edge: undefined, flattensAll: false, isMultiProvider: true, presigned: { sha1 } },
  );
  for (const [name, records] of wireRecordsOf(signed)) view.setRecords(name, records);
  return view;
}

function wireRecordsOf(view: ZoneView): Map<string, WireRecord[]> {
  const byName = new Map<string, WireRecord[]>();
  const snapshot = view.snapshot();
  for (const its of snapshot.names()) {
    for (const { name, set } of snapshot.sets(its, [])) {
      const records = byName.get(name) ?? [];
      byName.set(name, records);
      for (const rdata of set.rdatas) records.push({ typeCode: set.type, ttl: set.ttl, rdata });
    }
  }
  return byName;
}

function signedZone(written: readonly string[], usesNsec3: boolean): ZoneView {
  const view = zone("example.com", written, {}, signingOf({ usesNsec3 }));
  Array.from(view.link());
  return view;
}

const secure = (view: ZoneView, question: string): string[] => {
  const [rcode = "", ...records] = ask([view], question, {}, { isSecure: true });
  return [rcode, ...records.toSorted()];
};

const lines = [
  "www 60 A 192.0.2.1",
  "www 120 TXT x",
  "a.ent A 192.0.2.2",
  "*.w A 192.0.2.3",
  "*.w TXT y",
  "x.w MX 10 www.example.com",
  "alias CNAME nothing.example.com",
  "sub NS ns.sub.example.com",
  "ns.sub A 192.0.2.53",
  "safe NS ns.test.net",
];
const names = [
  "",
  "www.",
  "ent.",
  "a.ent.",
  "b.ent.",
  "q.w.",
  "w.",
  "x.w.",
  "y.x.w.",
  "alias.",
  "sub.",
  "y.sub.",
  "safe.",
  "no.thing.",
  "zzz.",
];
const types = ["A", "TXT", "MX", "DS", "DNSKEY", "CDS", "NS", "RRSIG"];

describe("a zone with the signatures of its primary", () => {
  for (const usesNsec3 of [false, true]) {
    const chain = usesNsec3 ? "NSEC3" : "NSEC";

    test(`answers as its primary, with ${chain} records`, () => {
      fc.assert(
        fc.property(fc.subarray(lines), (written) => {
          const primary = signedZone(written, usesNsec3);
          const secondary = transferredFrom(primary);
          for (const name of names) {
            for (const type of types) {
              const question = `${name}example.com ${type}`;
              assert.deepEqual(secure(secondary, question), secure(primary, question), question);
              assert.deepEqual(ask([secondary], question).toSorted(), ask([primary], question).toSorted());
            }
          }
        }),
        { numRuns: 30 },
      );
    });

    test(`is transferred on as it came, with ${chain} records, and so are its changes`, () => {
      const primary = signedZone(lines, usesNsec3);
      const secondary = transferredFrom(primary);
      const sorted = (view: ZoneView) =>
        Array.from(wireRecordsOf(view), ([name, records]) =>
          records.map(({ typeCode, ttl, rdata }) => `${name} ${typeCode} ${ttl} ${escape(rdata)}`),
        )
          .flat()
          .toSorted();
      assert.deepEqual(sorted(secondary), sorted(primary));

      primary.beginJournal();
      secondary.beginJournal();
      const before = wireRecordsOf(primary);
      const address = { type: "A", content: "192.0.2.9", ttl: 60, proxied: false, settings: {} } as const;
      primary.setRecords("new.ent.example.com", [address]);
      primary.setRecords("x.w.example.com", []);
      primary.changeApex({ ...apex, serial: 8 }, primary.signer?.signing);
      const after = wireRecordsOf(primary);
      for (const name of new Set([...before.keys(), ...after.keys()])) {
        const [was, is] = [before.get(name) ?? [], after.get(name) ?? []];
        if (JSON.stringify(was) !== JSON.stringify(is)) secondary.setRecords(name, is);
      }
      secondary.changeApex({ ...apex, serial: 8 });
      assert.deepEqual(sorted(secondary), sorted(primary));
      const stepOf = (view: ZoneView) =>
        view.journal.since(7)?.map((step) => [counted(step.removed()), counted(step.added())]);
      assert.deepEqual(stepOf(secondary), stepOf(primary));
    });
  }

  test("answers without what a chain lacks, and without a chain", () => {
    const records = wireRecordsOf(signedZone(lines, true));
    for (const left of [0, 1, 2, 3]) {
      const view = transferredFrom(zone("example.com", []));
      let hashed = 0;
      for (const [name, its] of records) {
        const isHashed = its.some(({ typeCode }) => typeCode === typeCodes.NSEC3);
        if (isHashed) hashed += 1;
        if (!isHashed || hashed <= left) view.setRecords(name, its);
      }
      for (const name of names) assert.match(secure(view, `${name}example.com TXT`)[0] ?? "", /^N/);
    }
  });

  test("proves with opt-out that a delegation is not signed", () => {
    const records = wireRecordsOf(signedZone(lines, true));
    const view = new ZoneView(
      { ...apex, serial: 7 },
      { edge: undefined, flattensAll: false, presigned: { sha1 } },
    );
    const safe = secure(transferredFrom(signedZone(lines, true)), "safe.example.com DS").find((line) =>
      / NSEC3 /.test(line),
    );
    const owner = /authority (\S+) /.exec(safe ?? "")?.[1];
    for (const [name, its] of records) if (name !== owner) view.setRecords(name, its);
    const answer = secure(view, "x.safe.example.com").filter((line) => / NSEC3 /.test(line));
    assert.equal(answer.length, 2, "the apex matches, and another record covers the delegation");
  });
});

function escape(rdata: string): string {
  return Buffer.from(rdata, "latin1").toString("hex");
}

function counted(sets: Iterable<{ readonly set: { readonly rdatas: readonly string[] } }>): number {
  let count = 0;
  for (const { set } of sets) count += set.rdatas.length;
  return count;
}
