import { fromOctets, toOctets } from "./byte-string.ts";

// The core can wait for no promise and knows no platform, so it has a SHA-256 of its own (FIPS 180-4).

const blockOctets = 64;
const primes = firstPrimes(64);
const roundConstants = Uint32Array.from(primes, (prime) => fractionBits(Math.cbrt(prime)));
const initialState = primes.slice(0, 8).map((prime) => fractionBits(Math.sqrt(prime)));

function firstPrimes(count: number): number[] {
  const found: number[] = [];
  for (let candidate = 2; found.length < count; candidate += 1) {
    if (found.every((prime) => candidate % prime !== 0)) found.push(candidate);
  }
  return found;
}

/** The first 32 bits of the fraction. */
function fractionBits(value: number): number {
  return Math.floor((value % 1) * 2 ** 32);
}

/** The 32 octets of the digest of a byte string. */
export function sha256(bytes: string): string {
  const state = Uint32Array.from(initialState);
  const padded = pad(toOctets(bytes));
  for (let at = 0; at < padded.length; at += blockOctets) mix(state, padded.subarray(at, at + blockOctets));
  return fromOctets(
    Array.from(state, (word) => [word >>> 24, word >>> 16, word >>> 8, word])
      .flat()
      .map((octet) => octet & 255),
  );
}

/** HMAC with SHA-256 (RFC 2104). */
export function hmacSha256(key: string, bytes: string): string {
  const block = toOctets((key.length > blockOctets ? sha256(key) : key).padEnd(blockOctets, "\0"));
  const xored = (mask: number): string => fromOctets(block.map((octet) => octet ^ mask));
  return sha256(xored(0x5c) + sha256(xored(0x36) + bytes));
}

function pad(octets: Uint8Array): Uint8Array {
  const padded = new Uint8Array(Math.ceil((octets.length + 9) / blockOctets) * blockOctets);
  padded.set(octets);
  padded[octets.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(octets.length / 2 ** 29));
  view.setUint32(padded.length - 4, octets.length * 8);
  return padded;
}

function rotate(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}

function mix(state: Uint32Array, block: Uint8Array): void {
  const words = schedule(block);
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let round = 0; round < words.length; round += 1) {
    const choice = (e & f) ^ (~e & g);
    const rotatedE = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const one = (h + rotatedE + choice + (roundConstants[round] ?? 0) + (words[round] ?? 0)) | 0;
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const rotatedA = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + rotatedA + majority) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, index) => {
    state[index] = (state[index] ?? 0) + word;
  });
}

function schedule(block: Uint8Array): Uint32Array {
  const words = new Uint32Array(64);
  const view = new DataView(block.buffer, block.byteOffset, blockOctets);
  for (let index = 0; index < 16; index += 1) words[index] = view.getUint32(index * 4);
  for (let index = 16; index < 64; index += 1) {
    const early = words[index - 15] ?? 0;
    const late = words[index - 2] ?? 0;
    const mixedEarly = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
    const mixedLate = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
    words[index] = (words[index - 16] ?? 0) + mixedEarly + (words[index - 7] ?? 0) + mixedLate;
  }
  return words;
}
