import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { describe, test } from "node:test";
import * as fc from "fast-check";
import { tsigErrors } from "./codes.ts";
import { decodeMessage, encodeMessage, type Message } from "./message.ts";
import {
  tsigAlgorithms,
  type TsigAlgorithm,
  readTsig,
  readSigned,
  tsigOctets,
  TsigSigner,
  verifyRequest,
  withTsigError,
  type Hmac,
  type TsigKey,
  type Verification,
} from "./tsig.ts";
import { WireError } from "./octets.ts";

const hmac: Hmac = (hash, secret, parts) => {
  const mac = createHmac(hash, secret);
  for (const part of parts) mac.update(part);
  return mac.digest();
};
const nowSeconds = 1_700_000_000;
const secret = Buffer.from("0123456789abcdef0123456789abcdef");
const keyOf = (algorithm: TsigAlgorithm): TsigKey => ({ name: "key.example", algorithm, secret });
const key = keyOf("hmac-sha256");
const query: Message = {
  id: 4711,
  flags: 0x0100,
  questions: [{ name: "www.Example.com", type: 6, class: 1 }],
  answers: [],
  authorities: [],
  additionals: [],
};

const signed = (by: TsigKey, at = nowSeconds): Uint8Array =>
  new TsigSigner(by, "", () => at, hmac).sign(encodeMessage(query));

function verify(
  bytes: Uint8Array,
  keys: readonly TsigKey[] = [key],
  at = nowSeconds,
): Verification | undefined {
  const message = readSigned(bytes, decodeMessage(bytes));
  return message && verifyRequest(message, keys, at, hmac);
}

const errorOf = (verification: Verification | undefined): number | undefined =>
  verification?.isVerified === false ? verification.error : undefined;

/** The messages that dnspython 2.3.0 makes of the query above with the name `Key.Example.`, by algorithm. */
const vectors: Readonly<Record<TsigAlgorithm, string>> = {
  "hmac-md5.sig-alg.reg.int": "95488c9e7ab9d86c7b5a9378ab702955",
  "hmac-sha1": "b11ec4eb838b9caf56c7d2e1ed2938d7f400cdbf",
  "hmac-sha224": "1e6ed04d994e61bb6a26f6f202608a66d439f55852b716a85e3c7ea4",
  "hmac-sha256": "7674d0281203f3ff37284ef3a5ebb2c952184b6102f34e02e17cc14a52df9039",
  "hmac-sha384":
    "9a4aa56bb477497b5aba14e07a7b23b3002bc01bbb30f7768b1824c04e73fe1411e14a9a73d406324044e6801cd5e798",
  "hmac-sha512":
    "c1f8bc1d9a18885dbc9f0aa8157a7a7a4ff0555c861e689e8c19fe6d5451982f4ff0922328de072f50dfd1a2937a32ad352a3d139ac85896f2282ecd2a3a9f49",
};

describe("a signed message", () => {
  for (const [algorithm, mac] of Object.entries(vectors) as [TsigAlgorithm, string][]) {
    test(`has the MAC that others compute, with ${algorithm}`, () => {
      const bytes = signed(keyOf(algorithm));
      const last = decodeMessage(bytes).additionals.at(-1);
      assert.equal(Buffer.from(readTsig(last?.rdata ?? "").mac, "latin1").toString("hex"), mac);
      assert.equal(mac.length, 2 * tsigAlgorithms[algorithm].octets);
      assert.ok(bytes.length - encodeMessage(query).length <= tsigOctets(keyOf(algorithm)));
      assert.equal(verify(bytes, [keyOf(algorithm)])?.isVerified, true);
    });
  }

  test("is verified wherever in memory it lies, and stays as it is", () => {
    const bytes = Buffer.concat([Buffer.alloc(3), signed(key)]).subarray(3);
    const before = bytes.toString("hex");
    assert.equal(verify(bytes)?.isVerified, true);
    assert.equal(bytes.toString("hex"), before);
  });

  test("is verified by the one of several keys of its name that made it", () => {
    const other = { ...key, secret: Buffer.from("another secret") };
    assert.deepEqual(verify(signed(key), [other, key]), { isVerified: true, key });
    assert.equal(errorOf(verify(signed(key), [other])), tsigErrors.BADSIG);
    assert.equal(errorOf(verify(signed(key), [])), tsigErrors.BADKEY);
    assert.equal(errorOf(verify(signed(key), [{ ...key, name: "other.example" }])), tsigErrors.BADKEY);
    assert.equal(errorOf(verify(signed(key), [keyOf("hmac-sha512")])), tsigErrors.BADKEY);
  });

  test("is verified within 300 seconds of its time", () => {
    for (const [seconds, error] of [
      [300, undefined],
      [-300, undefined],
      [301, tsigErrors.BADTIME],
      [-301, tsigErrors.BADTIME],
    ] as const) {
      assert.equal(errorOf(verify(signed(key), [key], nowSeconds + seconds)), error);
    }
  });

  test("is not verified with any octet of it changed, but for its id", () => {
    const bytes = signed(key);
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: bytes.length - 1 }),
        fc.integer({ min: 1, max: 255 }),
        (at, flip) => {
          const changed = Uint8Array.from(bytes);
          changed[at] = (bytes[at] ?? 0) ^ flip;
          // The case of names says nothing.
          fc.pre(flip !== 0x20);
          try {
            assert.notEqual(verify(changed)?.isVerified, true);
          } catch (error) {
            assert.ok(error instanceof WireError, String(error));
          }
        },
      ),
    );
    const forwarded = Uint8Array.from(bytes);
    forwarded[0] = 77;
    assert.equal(verify(forwarded)?.isVerified, true);
  });

  test("is refused where its record is not the last, is there twice, or has another class or TTL", () => {
    const message = decodeMessage(signed(key));
    const [tsig] = message.additionals;
    assert.ok(tsig !== undefined);
    const a = { name: "x.example", type: 1, class: 1, ttl: 0, rdata: "\u0001\u0002\u0003\u0004" };
    for (const change of [
      { additionals: [tsig, a] },
      { additionals: [tsig, tsig] },
      { answers: [tsig], additionals: [] },
      { additionals: [{ ...tsig, class: 1 }] },
      { additionals: [{ ...tsig, ttl: 1 }] },
    ]) {
      assert.throws(() => verify(encodeMessage({ ...message, ...change })), WireError);
    }
    assert.equal(verify(encodeMessage(query)), undefined);
  });

  test("may have a MAC cut to half, not to less", () => {
    const bytes = signed(key);
    const message = decodeMessage(bytes);
    const [tsig] = message.additionals;
    const cut = (octets: number): Uint8Array => {
      const rdata = tsig?.rdata ?? "";
      const at = rdata.length - 6 - 32;
      const shorter = `${rdata.slice(0, at - 2)}\0${String.fromCharCode(octets)}${rdata.slice(at, at + octets)}${rdata.slice(-6)}`;
      return encodeMessage({ ...message, additionals: tsig ? [{ ...tsig, rdata: shorter }] : [] });
    };
    assert.equal(verify(cut(16))?.isVerified, true);
    for (const octets of [0, 9, 15]) assert.throws(() => verify(cut(octets)), WireError);
  });
});

describe("a signed response", () => {
  test("of several messages is signed over each one before", () => {
    const signer = new TsigSigner(key, "request mac", () => nowSeconds, hmac);
    const macs = [1, 2, 3].map((id) => {
      const bytes = signer.sign(encodeMessage({ ...query, id }));
      return readTsig(decodeMessage(bytes).additionals.at(-1)?.rdata ?? "").mac;
    });
    const timers = Buffer.from("00006553f100012c", "hex");
    for (const index of [1, 2]) {
      const prior = Buffer.from(macs[index - 1] ?? "", "latin1");
      const expected = hmac("sha256", secret, [
        Buffer.from([0, prior.length]),
        prior,
        encodeMessage({ ...query, id: index + 1 }),
        timers,
      ]);
      assert.equal(
        Buffer.from(macs[index] ?? "", "latin1").toString("hex"),
        Buffer.from(expected).toString("hex"),
      );
    }
  });

  test("to a wrong time has the time of the request, and the server's beside it", () => {
    const request = readSigned(signed(key), decodeMessage(signed(key)));
    assert.ok(request !== undefined);
    const signer = new TsigSigner(key, request.tsig.mac, () => nowSeconds + 1_000, hmac);
    const tsig = readTsig(
      decodeMessage(signer.signBadTime(encodeMessage(query), request.tsig)).additionals.at(-1)?.rdata ?? "",
    );
    assert.deepEqual(
      [tsig.timeSigned, tsig.error, Buffer.from(tsig.other, "latin1").readUIntBE(0, 6)],
      [nowSeconds, tsigErrors.BADTIME, nowSeconds + 1_000],
    );
  });

  test("to an unknown key is not signed", () => {
    const request = readSigned(signed(key), decodeMessage(signed(key)));
    assert.ok(request !== undefined);
    const record = decodeMessage(
      withTsigError(encodeMessage(query), request, tsigErrors.BADKEY),
    ).additionals.at(-1);
    const tsig = readTsig(record?.rdata ?? "");
    assert.deepEqual([record?.name, tsig.mac, tsig.error], ["key.example", "", tsigErrors.BADKEY]);
  });
});
