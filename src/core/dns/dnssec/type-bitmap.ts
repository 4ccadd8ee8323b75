import { octet } from "../wire/octets.ts";

/** The types that a name has, as NSEC and NSEC3 records list them (RFC 4034 section 4.1.2). */
export function typeBitmap(types: Iterable<number>): string {
  const windows = new Map<number, number[]>();
  for (const type of [...types].toSorted((one, other) => one - other)) {
    const octets = windows.get(type >>> 8) ?? [];
    windows.set(type >>> 8, octets);
    const low = type & 0xff;
    while (octets.length <= low >>> 3) octets.push(0);
    octets[low >>> 3] = (octets[low >>> 3] ?? 0) | (0x80 >>> (low & 7));
  }
  return Array.from(
    windows,
    ([window, octets]) => octet(window) + octet(octets.length) + String.fromCharCode(...octets),
  ).join("");
}

/** The types in a bitmap, ascending. */
export function typesIn(bitmap: string): number[] {
  const types: number[] = [];
  for (let at = 0; at < bitmap.length; at += 2 + bitmap.charCodeAt(at + 1)) {
    for (let bit = 0; bit < bitmap.charCodeAt(at + 1) * 8; bit += 1) {
      const isSet = (bitmap.charCodeAt(at + 2 + (bit >>> 3)) & (0x80 >>> (bit & 7))) !== 0;
      if (isSet) types.push(bitmap.charCodeAt(at) * 0x100 + bit);
    }
  }
  return types;
}
