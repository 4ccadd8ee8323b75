import { keyFlags } from "../../src/core/dns/dnssec/keys.ts";
import type { ZoneSigning } from "../../src/core/dns/dnssec/zone-signer.ts";
import { newKeyPair, p256Signer, sha1, sha256 } from "../../src/resources/dnssec/p256.ts";

function newKey(flags: number): ZoneSigning["zoneSigningKey"] {
  const { privateKey, publicKey } = newKeyPair();
  return {
    flags,
    publicKey: Buffer.from(publicKey, "base64").toString("latin1"),
    sign: p256Signer(privateKey),
  };
}

const keys = { keySigningKey: newKey(keyFlags.entryPoint), zoneSigningKey: newKey(keyFlags.zone) };

/** The signing of a zone whose tests have nothing else to say of it. */
export function signingOf(given: Partial<ZoneSigning> = {}): ZoneSigning {
  return {
    ...keys,
    day: 20_000,
    usesNsec3: false,
    isMultiSigner: false,
    isWithdrawn: false,
    sha1,
    sha256,
    ...given,
  };
}
