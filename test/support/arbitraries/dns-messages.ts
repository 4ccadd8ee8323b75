import * as fc from "fast-check";

import { nameToOctets, pushEscaped } from "../../../src/core/dns/wire/names.ts";
import type { Message, Question, ResourceRecord } from "../../../src/core/dns/wire/message.ts";
import { octet, sliceOctets, twoOctets } from "../../../src/core/dns/wire/octets.ts";
import { typeCodes } from "../../../src/core/dns/wire/codes.ts";

const word = fc.integer({ min: 0, max: 0xffff });
const label = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom("a", "B", "www", "example", "COM", "*", "_tcp") },
  fc.uint8Array({ minLength: 1, maxLength: 12 }).map(escaped),
  fc.constant("x".repeat(63)),
);

function escaped(octets: Uint8Array): string {
  const codes: number[] = [];
  for (const one of octets) pushEscaped(codes, one);
  return String.fromCharCode(...codes);
}

/** Names with any octets; few labels, so that suffixes repeat. */
export const names = fc
  .array(label, { maxLength: 5 })
  .map((labels) => (labels.length === 0 ? "." : labels.join(".")))
  .filter(isShortEnough);

function isShortEnough(name: string): boolean {
  try {
    return nameToOctets(name).length <= 255;
  } catch {
    return false;
  }
}

const rawOctets = fc.uint8Array({ maxLength: 300 }).map((bytes) => sliceOctets(bytes, 0, bytes.length));
const characterString = rawOctets.map((octets) => octet(octets.slice(0, 255).length) + octets.slice(0, 255));
const wireName = names.map(nameToOctets);
const number = word.map(twoOctets);

/** Data that fits its type. */
const typedData = fc.oneof(
  fc.record({ type: fc.constantFrom(typeCodes.NS, typeCodes.CNAME, typeCodes.PTR), rdata: wireName }),
  fc.record({ type: fc.constant(typeCodes.MX), rdata: joined(number, wireName) }),
  fc.record({
    type: fc.constant(typeCodes.SOA),
    rdata: joined(wireName, wireName, fc.uint8Array({ minLength: 20, maxLength: 20 }).map(whole)),
  }),
  fc.record({ type: fc.constant(typeCodes.SRV), rdata: joined(number, number, number, wireName) }),
  fc.record({
    type: fc.constant(typeCodes.NAPTR),
    rdata: joined(number, number, characterString, characterString, characterString, wireName),
  }),
  fc.record({
    type: fc.constantFrom<number>(typeCodes.A, typeCodes.TXT, typeCodes.HTTPS, typeCodes.TSIG, 0, 65_280),
    rdata: rawOctets,
  }),
);

function whole(bytes: Uint8Array): string {
  return sliceOctets(bytes, 0, bytes.length);
}

function joined(...parts: fc.Arbitrary<string>[]): fc.Arbitrary<string> {
  return fc.tuple(...parts).map((strings) => strings.join(""));
}

const questions: fc.Arbitrary<Question> = fc.record({ name: names, type: word, class: word });
const records: fc.Arbitrary<ResourceRecord> = fc
  .tuple(names, word, fc.nat({ max: 0xffff_ffff }), typedData)
  .map(([name, classCode, ttl, data]) => Object.assign({ name, class: classCode, ttl }, data));

/** Messages of every form, some of which no server would send. */
export const messages: fc.Arbitrary<Message> = fc.record({
  id: word,
  flags: word,
  questions: fc.array(questions, { maxLength: 2 }),
  answers: fc.array(records, { maxLength: 6 }),
  authorities: fc.array(records, { maxLength: 3 }),
  additionals: fc.array(records, { maxLength: 3 }),
});
