/** What a code stands for, and where it ends. */
export interface Code {
  readonly text: string;
  readonly end: number;
}

/**
 * Replaces the codes of a text. Each begins with the mark; `read` tells what the one at a position stands for, undefined for
 * what is none and stays. Several times as fast as a replacement by a regular expression, where a text is full of codes.
 */
export function replaceCodes(
  bytes: string,
  mark: string,
  read: (bytes: string, at: number) => Code | undefined,
): string {
  let replaced = "";
  let copied = 0;
  for (let at = bytes.indexOf(mark); at >= 0;) {
    const code = read(bytes, at);
    if (code !== undefined) {
      replaced += bytes.slice(copied, at) + code.text;
      copied = code.end;
    }
    at = bytes.indexOf(mark, code?.end ?? at + 1);
  }
  return copied === 0 ? bytes : replaced + bytes.slice(copied);
}

/** The number that so many hexadecimal digits from a position on stand for; -1 where there are fewer. */
export function readHex(bytes: string, from: number, digits: number): number {
  let number = 0;
  for (let at = from; at < from + digits; at += 1) {
    const digit = hexDigit(bytes.charCodeAt(at));
    if (digit < 0) return -1;
    number = number * 16 + digit;
  }
  return number;
}

function hexDigit(octet: number): number {
  if (octet >= 0x30 && octet <= 0x39) return octet - 0x30;
  const lower = octet | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}
