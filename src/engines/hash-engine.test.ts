import assert from "node:assert/strict";
import { test } from "node:test";

import { hashEngine } from "./engines.ts";

const hex = (bytes: string): string => Buffer.from(bytes, "latin1").toString("hex");

test("hashes of byte strings are those of the test vectors of FIPS 180-4 and RFC 4231", () => {
  const { sha256, hmacSha256 } = hashEngine;
  assert.equal(hex(sha256("abc")), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  const macs = [
    ["\x0b".repeat(20), "Hi There", "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"],
    [
      "\xaa".repeat(20),
      "\xdd".repeat(50),
      "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe",
    ],
    [
      "\xaa".repeat(131),
      "Test Using Larger Than Block-Size Key - Hash Key First",
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
    ],
  ] as const;
  for (const [key, bytes, mac] of macs) assert.equal(hex(hmacSha256(key, bytes)), mac);
});
