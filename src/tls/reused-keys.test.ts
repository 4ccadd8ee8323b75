import assert from "node:assert/strict";
import { test } from "node:test";

import { reuseRsaKeys } from "./local-ca.ts";

test("keys that are reused are RSA keys alone, given in turn, and no more of them than were asked for", async () => {
  const createKeyPair = reuseRsaKeys(2);
  const make = async (type: "rsa" | "ecdsa"): Promise<string[]> => {
    const keys = await Promise.all([1, 2, 3, 4].map(() => createKeyPair(type)));
    return keys.map(({ publicKey }) => publicKey.export({ type: "spki", format: "pem" }) as string);
  };
  const [one, other, ...again] = await make("rsa");
  assert.notEqual(one, other);
  assert.deepEqual(again, [one, other]);
  assert.equal(new Set(await make("ecdsa")).size, 4);
});
