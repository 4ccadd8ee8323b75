/**
 * Strings of the language are octets. They are held as byte strings: JavaScript strings in which each
 * character, up to U+00FF, stands for one octet, so that lengths, orders, searches and slices are those of
 * the octets. Text in ASCII is its own byte string.
 */

// oxlint-disable-next-line no-control-regex -- U+0000 is a character like any other here.
const ascii = /^[\0-\x7f]*$/;
const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export function encodeText(text: string): string {
  return ascii.test(text) ? text : fromOctets(encoder.encode(text));
}

export function decodeText(bytes: string): string | undefined {
  if (ascii.test(bytes)) return bytes;
  try {
    return decoder.decode(toOctets(bytes));
  } catch {
    return undefined;
  }
}

export function octetsOf(text: string): number {
  return ascii.test(text) ? text.length : encoder.encode(text).length;
}

export function toOctets(bytes: string): Uint8Array {
  const octets = new Uint8Array(bytes.length);
  for (let at = 0; at < octets.length; at += 1) octets[at] = bytes.charCodeAt(at);
  return octets;
}

function fromOctets(octets: Uint8Array): string {
  return textOfCodes(octets.length, (at) => octets[at] ?? 0);
}

const utf16 = new TextDecoder("utf-16le", { ignoreBOM: true });

/**
 * Makes a text of UTF-16 codes, none of them half of a pair. It is made in one piece, as concatenating single
 * characters takes many times as long.
 */
export function textOfCodes(length: number, codeAt: (at: number) => number): string {
  const octets = new Uint8Array(2 * length);
  for (let at = 0; at < length; at += 1) {
    const code = codeAt(at);
    octets[2 * at] = code & 0xff;
    octets[2 * at + 1] = code >> 8;
  }
  return utf16.decode(octets);
}

export function lowerAscii(bytes: string): string {
  if (ascii.test(bytes)) return bytes.toLowerCase();
  return bytes.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

export function upperAscii(bytes: string): string {
  if (ascii.test(bytes)) return bytes.toUpperCase();
  return bytes.replaceAll(/[a-z]+/g, (letters) => letters.toUpperCase());
}

export function trimBlanks(bytes: string): string {
  const isBlank = (at: number): boolean => bytes[at] === " " || bytes[at] === "\t";
  let start = 0;
  let end = bytes.length;
  while (start < end && isBlank(start)) start += 1;
  while (end > start && isBlank(end - 1)) end -= 1;
  return bytes.slice(start, end);
}
