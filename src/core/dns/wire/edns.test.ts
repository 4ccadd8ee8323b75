import assert from "node:assert/strict";
import { describe, test } from "node:test";

import * as fc from "fast-check";

import { ednsRecord, readEdns, type Edns } from "./edns.ts";
import { checkCookie, sipHash } from "./cookies.ts";
import { hexToOctets, octetsToHex, sliceOctets, toBytes, WireError } from "./octets.ts";
import { readTsig, tsigRdata, type Tsig } from "./tsig.ts";

const word = fc.integer({ min: 0, max: 0xffff });
const octets = fc.uint8Array({ maxLength: 40 }).map((bytes) => sliceOctets(bytes, 0, bytes.length));

/** Objects as the code makes them. */
const plain = { noNullPrototype: true } as const;

describe("EDNS", () => {
  test("is read from the OPT record as it was written", () => {
    const edns: fc.Arbitrary<Edns> = fc.record(
      {
        payloadSize: word,
        version: fc.constant(0),
        extendedRcode: fc.integer({ min: 0, max: 255 }),
        dnssecOk: fc.boolean(),
        options: fc.array(fc.record({ code: word, data: octets }, plain), { maxLength: 4 }),
      },
      plain,
    );
    fc.assert(
      fc.property(edns, (given) => assert.deepEqual(readEdns({ additionals: [ednsRecord(given)] }), given)),
    );
  });

  test("is refused where it is malformed or there twice", () => {
    const edns = ednsRecord({ payloadSize: 512, version: 0, extendedRcode: 0, dnssecOk: false, options: [] });
    for (const additionals of [
      [edns, edns],
      [{ ...edns, name: "a" }],
      [{ ...edns, rdata: "\0\n\0\u0009abc" }],
      [{ ...edns, rdata: "\0" }],
    ]) {
      assert.throws(() => readEdns({ additionals }), WireError);
    }
  });
});

describe("SipHash-2-4", () => {
  test("gives the values of its reference", () => {
    const key = Uint8Array.from({ length: 16 }, (_, index) => index);
    const hash = (length: number): string =>
      Buffer.from(
        sipHash(
          key,
          Uint8Array.from({ length }, (_, index) => index),
        ),
      ).toString("hex");
    assert.equal(hash(0), "310e0edd47db6f72");
    assert.equal(hash(8), "6224939a79f5f593");
    assert.equal(hash(15), "e545be4961ca29a1");
  });
});

describe("a cookie", () => {
  const nowSeconds = 1_559_731_985;
  const server = { secret: toBytes(hexToOctets("e5e973e5a6b2a43f48e7dc849e37bfcf")), nowSeconds };
  const address = "\u00c6\u0033\u0064\u0064";
  const client = hexToOctets("2464c4abcf10c957");

  test("is that of the example in RFC 9018 appendix A.1", () => {
    const { answer, isValid } = checkCookie(client, address, server);
    assert.equal(octetsToHex(answer), "2464c4abcf10c957010000005cf79f111f8130c3eee29480");
    assert.equal(isValid, false);
  });

  test("is valid for an hour, for the same client at the same address", () => {
    const { answer } = checkCookie(client, address, server);
    const isValid = (data: string, from: string, seconds: number): boolean =>
      checkCookie(data, from, { ...server, nowSeconds: nowSeconds + seconds }).isValid;
    assert.ok(isValid(answer, address, 0));
    assert.ok(isValid(answer, address, 3600));
    assert.ok(!isValid(answer, address, 3601));
    assert.ok(!isValid(answer, address, -301));
    assert.ok(!isValid(answer, "\u007f\0\0\u0001", 0));
    assert.ok(!isValid(`x${answer.slice(1)}`, address, 0));
    assert.ok(!isValid(`${answer}x`, address, 0));
  });

  test("of a length that none has is refused", () => {
    for (const length of [0, 7, 9, 15, 41]) {
      assert.throws(() => checkCookie("x".repeat(length), address, server), WireError);
    }
  });
});

describe("TSIG", () => {
  test("is read as it was written, and refused where it is cut", () => {
    const tsig: fc.Arbitrary<Tsig> = fc.record(
      {
        algorithm: fc.constantFrom("hmac-sha256", "hmac-md5.sig-alg.reg.int"),
        timeSigned: fc.nat({ max: 2 ** 48 - 1 }),
        fudgeSeconds: word,
        mac: octets,
        originalId: word,
        error: word,
        other: octets,
      },
      plain,
    );
    fc.assert(
      fc.property(tsig, fc.nat(), (given, cut) => {
        const rdata = tsigRdata(given);
        assert.deepEqual(readTsig(rdata), given);
        assert.throws(() => readTsig(rdata.slice(0, cut % rdata.length)), WireError);
      }),
    );
  });
});
