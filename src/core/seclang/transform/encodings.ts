const hexDigits = "0123456789abcdef";

/** Decodes `%41` and `+` once; what is no code stays. */
export function decodeUrl(bytes: string): string {
  if (!bytes.includes("%") && !bytes.includes("+")) return bytes;
  return bytes
    .replaceAll("+", " ")
    .replaceAll(/%([0-9a-fA-F]{2})/g, (_, digits: string) =>
      String.fromCharCode(Number.parseInt(digits, 16)),
    );
}

/** Decodes `%41`, `+` and `%u0041`; of a character beyond an octet its low octet, of a full-width one its ASCII form. */
export function decodeUrlUnicode(bytes: string): string {
  if (!bytes.includes("%") && !bytes.includes("+")) return bytes;
  return bytes
    .replaceAll("+", " ")
    .replaceAll(/%(?:[uU]([0-9a-fA-F]{4})|([0-9a-fA-F]{2}))/g, (_, wide?: string, narrow = "") =>
      wide === undefined ? String.fromCharCode(Number.parseInt(narrow, 16)) : octetOfCodeUnit(wide),
    );
}

/** The octet that four hexadecimal digits stand for: the ASCII form of a full-width character, else the low octet. */
export function octetOfCodeUnit(digits: string): string {
  const code = Number.parseInt(digits, 16);
  const low = code & 0xff;
  const isFullWidth = code > 0xff00 && code < 0xff5f;
  return String.fromCharCode(isFullWidth ? low + 0x20 : low);
}

// oxlint-disable-next-line no-control-regex -- octets, not text
const sequences = /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}/g;

/** Writes each character beyond ASCII as `%uhhhh`; octets that are no UTF-8 stay. */
export function encodeUtf8AsUnicode(bytes: string): string {
  return bytes.replaceAll(sequences, (sequence) => {
    let code = sequence.charCodeAt(0) & (0xff >> (sequence.length + 1));
    for (let index = 1; index < sequence.length; index += 1) {
      code = (code << 6) | (sequence.charCodeAt(index) & 0x3f);
    }
    return `%u${code.toString(16).padStart(4, "0")}`;
  });
}

/** Two digits an octet, in lower case. */
export function encodeHex(bytes: string): string {
  let hex = "";
  for (let index = 0; index < bytes.length; index += 1) {
    const octet = bytes.charCodeAt(index);
    hex += `${hexDigits[octet >> 4]}${hexDigits[octet & 15]}`;
  }
  return hex;
}

/** Reads pairs of digits; ends at the first that is none. */
export function decodeHex(bytes: string): string {
  const [digits = ""] = /^(?:[0-9a-fA-F]{2})*/.exec(bytes) ?? [];
  return digits.replaceAll(/../g, (pair) => String.fromCharCode(Number.parseInt(pair, 16)));
}

const base64Digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Reads as far as the text is base64 (RFC 4648, section 4); padding may be missing. */
export function decodeBase64(bytes: string): string {
  let decoded = "";
  let buffer = 0;
  let bits = 0;
  for (const character of bytes) {
    const digit = base64Digits.indexOf(character);
    if (digit < 0) break;
    buffer = ((buffer << 6) | digit) & 0xffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    decoded += String.fromCharCode((buffer >> bits) & 0xff);
  }
  return decoded;
}
