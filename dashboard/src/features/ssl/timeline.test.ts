import assert from "node:assert/strict";
import { test } from "node:test";

import type { CertificatePack } from "../../../../src/resources/certificate-packs/schema.ts";
import { axisOf, place, timelineEntries, urgencyOf } from "./timeline.ts";

const certificate = (id: string, uploaded_on: string, expires_on: string) =>
  ({
    id,
    hosts: ["example.com"],
    signature: "ECDSAWithSHA256",
    uploaded_on,
    expires_on,
  }) as unknown as CertificatePack["certificates"][number];
const pack = {
  type: "universal",
  certificates: [
    certificate("late", "2026-01-01T00:00:00Z", "2026-04-01T00:00:00Z"),
    certificate("early", "2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z"),
  ],
} as unknown as CertificatePack;

test("the timeline begins with what expires next, and tells how urgent it is", () => {
  const entries = timelineEntries([pack], []);
  assert.deepEqual(
    entries.map(({ id, kind }) => [id, kind]),
    [
      ["early", "Universal, ECDSA"],
      ["late", "Universal, ECDSA"],
    ],
  );
  for (const [type, kind] of [
    ["advanced", "Advanced"],
    ["total_tls", "Total TLS"],
  ] as const) {
    const [entry] = timelineEntries([{ ...pack, type }], []);
    assert.equal(entry?.kind, `${kind}, ECDSA`);
  }
  const now = Date.parse("2026-01-20T00:00:00Z");
  assert.deepEqual(
    entries.map((entry) => urgencyOf(entry, now)),
    ["soon", "good"],
  );
  assert.deepEqual(
    entries.map((entry) => urgencyOf(entry, Date.parse("2026-02-01T00:00:00Z"))),
    ["expired", "good"],
  );
});

test("the axis holds every certificate and today, also without any", () => {
  const now = Date.parse("2026-01-20T00:00:00Z");
  for (const entries of [timelineEntries([pack], []), []]) {
    const axis = axisOf(entries, now);
    const places = [now, ...entries.flatMap(({ from, until }) => [from, until])].map((at) => place(at, axis));
    assert.ok(places.every((at) => at > 0 && at < 100));
  }
});
