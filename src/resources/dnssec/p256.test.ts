import assert from "node:assert/strict";
import { createPublicKey, verify } from "node:crypto";
import { describe, test } from "node:test";

import { newKeyPair, p256Signer } from "./p256.ts";

describe("a signature", () => {
  // RFC 6979 appendix A.2.5.
  const secret = "C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721";
  for (const [message, expected] of [
    [
      "sample",
      "EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8",
    ],
    [
      "test",
      "F1ABB023518351CD71D881567B1EA663ED3EFCF6C5132B354F28D3B0B7D38367019F4113742A2B14BD25926B49C649155F267E60D3814B4C0CC84250E46F0083",
    ],
  ] as const) {
    test(`is that of RFC 6979 for "${message}"`, () => {
      const sign = p256Signer(Buffer.from(secret, "hex").toString("base64"));
      const signature = Buffer.from(sign(message), "latin1").toString("hex").toUpperCase();
      assert.equal(signature, expected);
    });
  }

  test("verifies with the public key", () => {
    const { privateKey, publicKey } = newKeyPair();
    const point = Buffer.from(publicKey, "base64");
    const [x, y] = [point.subarray(0, 32), point.subarray(32)].map((half) => half.toString("base64url"));
    const key = createPublicKey({ format: "jwk", key: { kty: "EC", crv: "P-256", x: x ?? "", y: y ?? "" } });
    const sign = p256Signer(privateKey);
    for (let count = 0; count < 50; count += 1) {
      const signature = Buffer.from(sign(`message ${count}`), "latin1");
      const isValid = verify(
        "sha256",
        Buffer.from(`message ${count}`),
        { key, dsaEncoding: "ieee-p1363" },
        signature,
      );
      assert.ok(isValid);
    }
  });
});
