import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { AUTHORITATIVE_ANSWER, decode, encode } from "dns-packet";
import * as fc from "fast-check";

import { flagBits, typeCodes } from "./codes.ts";
import { decodeMessage, encodeMessage, type Message, type ResourceRecord } from "./message.ts";
import { nameToOctets } from "./names.ts";
import { toBytes, twoOctets, WireError } from "./octets.ts";
import { messages } from "../../../../test/support/arbitraries/dns-messages.ts";
import { WireWriter } from "./writer.ts";

const header = (counts: readonly [number, number, number, number]): string =>
  twoOctets(1) + twoOctets(0) + counts.map(twoOctets).join("");

const question: Message = {
  id: 7,
  flags: 0,
  questions: [{ name: "WWW.Example.com", type: typeCodes.A, class: 1 }],
  answers: [],
  authorities: [],
  additionals: [],
};

function record(name: string, type: number, rdata: string): ResourceRecord {
  return { name, type, class: 1, ttl: 300, rdata };
}

/** Names as a message has them: compression does not keep the case of a suffix that was written before. */
function folded(message: Message): unknown {
  return JSON.parse(JSON.stringify(message).toLowerCase());
}

describe("a message", () => {
  test("is read back as it was written", () => {
    fc.assert(
      fc.property(messages, (message) => {
        const again = decodeMessage(encodeMessage(message));
        assert.deepEqual(folded(again), folded(message));
      }),
    );
  });

  test("of any octets is read to its end or refused by a WireError", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 600 }), (bytes) => {
        decodesOrRefuses(bytes);
      }),
      { numRuns: 2_000 },
    );
  });

  test("that was altered or cut is read to its end or refused by a WireError", () => {
    const alteration = fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 }));
    fc.assert(
      fc.property(messages, fc.array(alteration, { maxLength: 8 }), fc.nat(), (message, alterations, cut) => {
        const bytes = encodeMessage(message);
        for (const [at, octet] of alterations) bytes[at % bytes.length] = octet;
        decodesOrRefuses(bytes.subarray(0, cut % 3 === 0 ? cut % bytes.length : bytes.length));
      }),
      { numRuns: 2_000 },
    );
  });

  test("is what dns-packet reads", () => {
    const packet = decode(
      Buffer.from(
        encodeMessage({
          ...question,
          flags: flagBits.response | flagBits.authoritative,
          answers: [
            record("WWW.Example.com", typeCodes.CNAME, nameToOctets("a.example.com")),
            record("a.example.com", typeCodes.A, "\u00c0\0\u0002\u0001"),
            record("example.com", typeCodes.MX, `\0\n${nameToOctets("mail.example.com")}`),
            record("example.com", typeCodes.SRV, `\0\u0001\0\u0002\0\u0003${nameToOctets("s.example.com")}`),
          ],
        }),
      ),
    );
    assert.equal(packet.id, 7);
    assert.deepEqual(packet.questions, [{ name: "WWW.Example.com", type: "A", class: "IN" }]);
    assert.deepEqual(
      packet.answers?.map((answer) => [
        answer.name.toLowerCase(),
        answer.type,
        "data" in answer && answer.data,
      ]),
      [
        ["www.example.com", "CNAME", "a.Example.com"],
        ["a.example.com", "A", "192.0.2.1"],
        ["example.com", "MX", { preference: 10, exchange: "mail.Example.com" }],
        ["example.com", "SRV", { priority: 1, weight: 2, port: 3, target: "s.example.com" }],
      ],
    );
  });

  test("of dns-packet is read", () => {
    const bytes = encode({
      type: "response",
      id: 9,
      flags: AUTHORITATIVE_ANSWER,
      questions: [{ type: "SOA", name: "example.com" }],
      answers: [{ type: "TXT", name: "example.com", ttl: 5, data: ["a", "b"] }],
    });
    const { id, flags, questions, answers } = decodeMessage(bytes);
    assert.deepEqual([id, flags], [9, flagBits.response | flagBits.authoritative]);
    assert.deepEqual(questions, [{ name: "example.com", type: typeCodes.SOA, class: 1 }]);
    assert.deepEqual(answers, [{ ...record("example.com", typeCodes.TXT, "\u0001a\u0001b"), ttl: 5 }]);
  });

  test("keeps the case of its question, and names that are compressed point to it", () => {
    const bytes = encodeMessage({
      ...question,
      answers: [record("www.example.com", typeCodes.NS, nameToOctets("ns.example.com"))],
    });
    const { questions, answers } = decodeMessage(bytes);
    assert.equal(questions[0]?.name, "WWW.Example.com");
    assert.equal(answers[0]?.name, "WWW.Example.com");
    assert.equal(answers[0]?.rdata, nameToOctets("ns.Example.com"));
    assert.equal(bytes.length, 12 + 17 + 4 + 2 + 10 + 3 + 2);
  });

  test("has names uncompressed in the data of types younger than RFC 1035", () => {
    const target = `\0\u0001\0\u0001\0\u0001${nameToOctets("www.example.com")}`;
    const bytes = encodeMessage({ ...question, answers: [record("www.example.com", typeCodes.SRV, target)] });
    assert.equal(bytes.length, 12 + 17 + 4 + 2 + 10 + target.length);
  });

  test("above its bound is cut after a whole record, and says so", () => {
    fc.assert(
      fc.property(messages, fc.integer({ min: 12, max: 700 }), (message, sizeMax) => {
        const whole = encodeMessage(message);
        const bytes = encodeMessage(message, sizeMax);
        const isCut = (decodeMessage(bytes).flags & flagBits.truncated) !== 0;
        assert.ok(bytes.length <= sizeMax);
        if (whole.length <= sizeMax) assert.deepEqual(bytes, whole);
        else assert.ok(isCut);
      }),
    );
  });
});

describe("a hostile message", () => {
  const refused: readonly (readonly [what: string, octets: string])[] = [
    ["shorter than a header", "\0\0\0"],
    ["a pointer to itself", `${header([1, 0, 0, 0])}\u00c0\u000c\0\u0001\0\u0001`],
    ["a pointer forward", `${header([1, 0, 0, 0])}\u00c0\u000e\u0001a\0\0\u0001\0\u0001`],
    ["two pointers to each other", `${header([1, 0, 0, 0])}\u0001a\u00c0\u0010\u00c0\u000c\0\u0001\0\u0001`],
    ["a label that a pointer makes endless", `${header([1, 0, 0, 0])}\u0001a\u00c0\u000c\0\u0001\0\u0001`],
    ["a label of the kind 01", `${header([1, 0, 0, 0])}\u0041a\0\0\u0001\0\u0001`],
    ["a label of the kind 10", `${header([1, 0, 0, 0])}\u0081a\0\0\u0001\0\u0001`],
    [
      "a name of 256 octets",
      `${header([1, 0, 0, 0])}${`\u003f${"a".repeat(63)}`.repeat(4)}\0\0\u0001\0\u0001`,
    ],
    ["a count of records that are not there", header([0, 0xffff, 0xffff, 0xffff])],
    ["octets behind it", `${header([0, 0, 0, 0])}x`],
    ["data beyond its end", `${header([0, 1, 0, 0])}\0\0\u0001\0\u0001\0\0\0\0\0\u0005abcd`],
    ["a name beyond its data", `${header([0, 1, 0, 0])}\0\0\u0002\0\u0001\0\0\0\0\0\u0001\u0001a\0`],
    ["data behind a name", `${header([0, 1, 0, 0])}\0\0\u0002\0\u0001\0\0\0\0\0\u0004\u0001a\0x`],
  ];
  for (const [what, octets] of refused) {
    test(`is refused: ${what}`, () => {
      assert.throws(() => decodeMessage(toBytes(octets)), WireError);
    });
  }

  test("with many pointers in a row costs no more than other messages of its size", () => {
    // Each pointer leads to the one before it.
    const pointers = Array.from({ length: 8_000 }, (_, index) =>
      twoOctets(0xc000 | Math.max(12, 10 + 2 * index)),
    );
    const chain = `\0\0\u0010\0\u0001\0\0\0\0${twoOctets(pointers.length * 2)}${pointers.join("")}`;
    const owner = `${twoOctets(0xc000 | 16_000)}\0\u0001\0\u0001\0\0\0\0\0\0`;
    assert.throws(() => decodeMessage(toBytes(`${header([0, 2, 0, 0])}${chain}${owner}`)), WireError);
  });
});

const writer = new WireWriter();

function decodesOrRefuses(bytes: Uint8Array): void {
  try {
    encodeMessage(decodeMessage(bytes), undefined, writer);
  } catch (error) {
    assert.ok(error instanceof WireError, String(error));
  }
}
