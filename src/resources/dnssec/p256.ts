import { createECDH, createHash, createHmac, randomBytes } from "node:crypto";

import type { Hash } from "../../core/dns/dnssec/keys.ts";

const curve = "prime256v1";
const keyOctets = 32;
/** The order of the curve's group (FIPS 186-4, D.1.2.3). */
const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/** A key pair on the curve P-256, as base64: the private number, and both coordinates of the public point. */
export interface KeyPair {
  readonly privateKey: string;
  readonly publicKey: string;
}

export function newKeyPair(): KeyPair {
  const ecdh = createECDH(curve);
  const point = ecdh.generateKeys();
  return {
    privateKey: toOctets(toNumber(ecdh.getPrivateKey())).toString("base64"),
    publicKey: point.subarray(1).toString("base64"),
  };
}

/**
 * Signs messages with ECDSA and SHA-256, by RFC 6979: the same message always gets the same signature, so
 * that every instance of the server serves the same zone. OpenSSL, which draws a random number for each, does
 * the arithmetic of points.
 */
export function p256Signer(privateKey: string): (octets: string) => string {
  const secret = Buffer.from(privateKey, "base64");
  const secretNumber = toNumber(secret);
  const ecdh = createECDH(curve);
  return (message) => {
    const digest = toNumber(createHash("sha256").update(message, "latin1").digest());
    for (const nonce of nonces(secret, toOctets(digest % order))) {
      ecdh.setPrivateKey(toOctets(nonce));
      const r = toNumber(ecdh.getPublicKey().subarray(1, 1 + keyOctets)) % order;
      const s = (blindInverse(nonce) * (digest + r * secretNumber)) % order;
      if (r !== 0n && s !== 0n) return Buffer.concat([toOctets(r), toOctets(s)]).toString("latin1");
    }
    throw new Error("there is no signature");
  };
}

/** RFC 6979 section 3.2. */
function* nonces(secret: Buffer, digest: Buffer): Generator<bigint, void, undefined> {
  const mac = (key: Buffer, ...parts: readonly Buffer[]): Buffer => {
    const hmac = createHmac("sha256", key);
    for (const part of parts) hmac.update(part);
    return hmac.digest();
  };
  let value: Buffer = Buffer.alloc(keyOctets, 1);
  let key: Buffer = Buffer.alloc(keyOctets);
  for (const round of [0, 1]) {
    key = mac(key, value, Buffer.of(round), secret, digest);
    value = mac(key, value);
  }
  for (;;) {
    value = mac(key, value);
    const nonce = toNumber(value);
    if (nonce > 0n && nonce < order) yield nonce;
    key = mac(key, value, Buffer.of(0));
    value = mac(key, value);
  }
}

/** The inverse of a number modulo the order. The time that it takes tells nothing of the number. */
function blindInverse(number: bigint): bigint {
  const blind = (toNumber(randomBytes(keyOctets)) % (order - 1n)) + 1n;
  return (blind * inverse((number * blind) % order)) % order;
}

/** Euclid's algorithm. */
function inverse(number: bigint): bigint {
  let [low, high] = [number, order];
  let [factor, next] = [1n, 0n];
  while (low > 1n) {
    const times = high / low;
    [low, high] = [high - times * low, low];
    [factor, next] = [next - times * factor, factor];
  }
  return ((factor % order) + order) % order;
}

function toNumber(octets: Buffer): bigint {
  return BigInt(`0x${octets.toString("hex")}`);
}

function toOctets(number: bigint): Buffer {
  return Buffer.from(number.toString(16).padStart(2 * keyOctets, "0"), "hex");
}

const hashed =
  (algorithm: string): Hash =>
  (octets) =>
    createHash(algorithm).update(octets, "latin1").digest().toString("latin1");

export const sha1 = hashed("sha1");
export const sha256 = hashed("sha256");
