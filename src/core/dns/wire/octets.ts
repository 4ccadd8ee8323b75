/**
 * Octets as text: a string whose code units are octets, as in `content/character-string.ts`. A million of them take
 * far less memory than as many buffers, and they can be keys of maps.
 */

export function octet(value: number): string {
  return String.fromCharCode(value & 0xff);
}

export function twoOctets(value: number): string {
  return String.fromCharCode((value >>> 8) & 0xff, value & 0xff);
}

export function fourOctets(value: number): string {
  return String.fromCharCode(
    (value >>> 24) & 0xff,
    (value >>> 16) & 0xff,
    (value >>> 8) & 0xff,
    value & 0xff,
  );
}

/** The octets of an even number of hexadecimal digits. */
export function hexToOctets(digits: string): string {
  return (digits.match(/../g) ?? []).map((pair) => octet(Number.parseInt(pair, 16))).join("");
}

/** Lower-case hexadecimal digits. */
export function octetsToHex(octets: string): string {
  return Array.from(octets, (one) => one.charCodeAt(0).toString(16).padStart(2, "0")).join("");
}

/** The octets of padded base64. */
export function base64ToOctets(digits: string): string {
  return atob(digits);
}

/** Padded base64. */
export function octetsToBase64(octets: string): string {
  return btoa(octets);
}

const pieceLength = 4096;

/** The octets from `from` up to `to`. */
export function sliceOctets(bytes: Uint8Array, from: number, to: number): string {
  // A call takes a limited number of arguments.
  if (to - from <= pieceLength) return String.fromCharCode(...bytes.subarray(from, to));
  let octets = "";
  for (let at = from; at < to; at += pieceLength) {
    octets += String.fromCharCode(...bytes.subarray(at, Math.min(to, at + pieceLength)));
  }
  return octets;
}

export function toBytes(octets: string): Uint8Array {
  return Uint8Array.from(octets, (one) => one.charCodeAt(0));
}

/** The unsigned number in two octets at `at`; NaN beyond the end. */
export function twoOctetsAt(octets: string, at: number): number {
  return octets.charCodeAt(at) * 0x100 + octets.charCodeAt(at + 1);
}

/** The unsigned number in four octets at `at`; NaN beyond the end. */
export function fourOctetsAt(octets: string, at: number): number {
  return twoOctetsAt(octets, at) * 0x1_0000 + twoOctetsAt(octets, at + 2);
}

/** Octets that are not a DNS message, or a name or record that no message can hold. */
export class WireError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "WireError";
  }
}
