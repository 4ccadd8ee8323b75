import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { Capture } from "./capture.ts";
import { EntryRing } from "./entry-ring.ts";

const octetsMax = 100;

test("an entry ring keeps the newest entries as they were, within its bounds", () => {
  const text = fc.string({ unit: "grapheme", maxLength: 8 });
  const entry = fc.record({
    head: text.map((rest) => `h${rest}`),
    body: fc.array(text, { maxLength: 2 }),
    answer: text,
  });
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 40 }), fc.integer({ min: 1, max: 8 }), (entries, entriesMax) => {
      const fitting = entries.filter((each) => octetsMostOf(each) <= octetsMax);
      const ring = new EntryRing({ entriesMax, octetsMax });
      for (const { head, body, answer } of fitting)
        ring.add(head, captured(body), captured([Buffer.from(answer)]));
      const size = ring.next - ring.oldest;
      const kept = Array.from({ length: size }, (_, index) => {
        const { head, body, answer } = ring.get(ring.oldest + index) ?? assert.fail();
        return [head, body, answer].map((part) => part.toString());
      });
      assert.equal(ring.next, fitting.length);
      assert.deepEqual([ring.get(ring.oldest - 1), ring.get(ring.next)], [undefined, undefined]);
      const newest = fitting.slice(fitting.length - size);
      assert.deepEqual(
        kept,
        newest.map(({ head, body, answer }) => [head, body.join(""), answer]),
      );
      assert.equal(ring.dropped, fitting.length - size);
      // The end of the block, and a part of the oldest entry, may be empty.
      const largest = Math.max(0, ...fitting.map(octetsMostOf));
      const octets = newest.reduce((sum, each) => sum + octetsOf(each), 0);
      assert.ok(ring.dropped === 0 || size === entriesMax || octets >= octetsMax - 2 * largest);
    }),
  );
});

interface Entry {
  readonly head: string;
  readonly body: readonly string[];
  readonly answer: string;
}

function captured(parts: readonly (string | Uint8Array)[]): Capture {
  const capture = new Capture();
  for (const part of parts) capture.add(part);
  return capture;
}

/** The room that is made for an entry. */
function octetsMostOf({ head, body, answer }: Entry): number {
  return 3 * (head.length + body.join("").length + Buffer.byteLength(answer));
}

function octetsOf({ head, body, answer }: Entry): number {
  return Buffer.byteLength([head, ...body, answer].join(""));
}
