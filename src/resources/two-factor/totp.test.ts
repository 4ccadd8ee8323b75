import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { newTotpSecret, stepOfCode, totpCode, totpUri } from "./totp.ts";

/** `12345678901234567890` in base32, the secret of RFC 6238, appendix B. */
const secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
const at = (seconds: number): Date => new Date(seconds * 1000);

describe("codes of authenticator apps", () => {
  test("are those of RFC 6238, in six digits", () => {
    for (const [seconds, code] of [
      [59, "287082"],
      [1_111_111_109, "081804"],
      [1_111_111_111, "050471"],
      [1_234_567_890, "005924"],
      [2_000_000_000, "279037"],
      [20_000_000_000, "353130"],
    ] as const)
      assert.equal(totpCode(secret, at(seconds)), code);
  });

  test("are good one step before and after their own, and once", () => {
    const now = at(1_111_111_111);
    const step = Math.floor(1_111_111_111 / 30);
    for (const shift of [-1, 0, 1]) {
      const code = totpCode(secret, at(1_111_111_111 + shift * 30));
      assert.equal(stepOfCode(secret, code, now, 0), step + shift);
      assert.equal(stepOfCode(secret, code, now, step + shift), undefined);
    }
    for (const shift of [-2, 2])
      assert.equal(stepOfCode(secret, totpCode(secret, at(1_111_111_111 + shift * 30)), now, 0), undefined);
    for (const text of ["", "28708", "2870822", "abcdef"])
      assert.equal(stepOfCode(secret, text, now, 0), undefined);
  });

  test("come from 160 random bits, which the address of a QR code names with issuer and user", () => {
    const made = newTotpSecret();
    assert.match(made, /^[A-Z2-7]{32}$/);
    assert.notEqual(made, newTotpSecret());
    const uri = new URL(totpUri(made, "o&o@example.com", "Zoneward"));
    assert.equal(decodeURIComponent(uri.pathname), "/Zoneward:o&o@example.com");
    assert.deepEqual([uri.searchParams.get("secret"), uri.searchParams.get("issuer")], [made, "Zoneward"]);
  });
});
