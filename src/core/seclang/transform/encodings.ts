/** The decoded text of an escape, and where the escape ends. */
interface Code {
  readonly text: string;
  readonly end: number;
}

/**
 * Replaces the escapes in a text. Each begins with the mark; `read` decodes the one at a position, or returns
 * undefined to leave it. Several times as fast as a regular expression if a text is full of escapes.
 */
function replaceCodes(
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

function readHex(bytes: string, from: number, digits: number): number {
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

const hexDigits = "0123456789abcdef";

/** Decodes `%41` and `+` once; invalid escapes stay. */
export function decodeUrl(bytes: string): string {
  return replaceCodes(bytes.replaceAll("+", " "), "%", readPercent);
}

/** Decodes `%41`, `+` and `%u0041`: a full-width character to its ASCII form, any other to its low octet. */
export function decodeUrlUnicode(bytes: string): string {
  return replaceCodes(bytes.replaceAll("+", " "), "%", (text, at) => {
    const isWide = (text.charCodeAt(at + 1) | 0x20) === 0x75;
    const unit = isWide ? readHex(text, at + 2, 4) : -1;
    return unit < 0 ? readPercent(text, at) : { text: octetOfCodeUnit(unit), end: at + 6 };
  });
}

function readPercent(text: string, at: number): Code | undefined {
  const octet = readHex(text, at + 1, 2);
  return octet < 0 ? undefined : { text: String.fromCharCode(octet), end: at + 3 };
}

/** The octet of a code unit: the ASCII form of a full-width character, else the low octet. */
function octetOfCodeUnit(unit: number): string {
  const low = unit & 0xff;
  const isFullWidth = unit > 0xff00 && unit < 0xff5f;
  return String.fromCharCode(isFullWidth ? low + 0x20 : low);
}

// oxlint-disable-next-line no-control-regex -- octets, not text
const sequences = /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}/g;

/** Writes each character beyond ASCII as `%uhhhh`; octets that are not UTF-8 stay. */
export function encodeUtf8AsUnicode(bytes: string): string {
  return bytes.replaceAll(sequences, (sequence) => {
    let code = sequence.charCodeAt(0) & (0xff >> (sequence.length + 1));
    for (let index = 1; index < sequence.length; index += 1) {
      code = (code << 6) | (sequence.charCodeAt(index) & 0x3f);
    }
    return `%u${code.toString(16).padStart(4, "0")}`;
  });
}

export function encodeHex(bytes: string): string {
  let hex = "";
  for (let index = 0; index < bytes.length; index += 1) {
    const octet = bytes.charCodeAt(index);
    hex += `${hexDigits[octet >> 4]}${hexDigits[octet & 15]}`;
  }
  return hex;
}

/** Decodes pairs of digits up to the first that is invalid. */
export function decodeHex(bytes: string): string {
  const [digits = ""] = /^(?:[0-9a-fA-F]{2})*/.exec(bytes) ?? [];
  return digits.replaceAll(/../g, (pair) => String.fromCharCode(Number.parseInt(pair, 16)));
}

const base64Digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Decodes as far as the text is base64 (RFC 4648 section 4); padding is optional. */
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

const named: Readonly<Record<string, string>> = { quot: '"', amp: "&", lt: "<", gt: ">", nbsp: "\u00a0" };

/** Decodes `&lt;`, `&#60;` and `&#x3c;`, with or without the semicolon; numbers to their low octet. */
export function decodeHtmlEntities(bytes: string): string {
  if (!bytes.includes("&")) return bytes;
  return bytes.replaceAll(
    /&(?:#[xX]([0-9a-fA-F]+)|#(\d+)|(quot|amp|lt|gt|nbsp));?/gi,
    (_, hex?: string, decimal?: string, name = "") => {
      if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex.slice(-2), 16));
      if (decimal !== undefined) return String.fromCharCode(Number(decimal.slice(-15)) % 256);
      return named[name.toLowerCase()] ?? "";
    },
  );
}

const controls: Readonly<Record<string, string>> = {
  a: "\u0007",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

/** Decodes the escapes of JavaScript strings; a backslash before any other octet is removed. */
export function decodeJavaScript(bytes: string): string {
  if (!bytes.includes("\\")) return bytes;
  return bytes.replaceAll(
    /\\(?:[uU]([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([0-3][0-7]{0,2}|[4-7][0-7]?)|([^]))/g,
    (_, wide?: string, hex?: string, octal?: string, other = "") => {
      if (wide !== undefined) return octetOfCodeUnit(Number.parseInt(wide, 16));
      if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
      return controls[other] ?? other;
    },
  );
}

/** Decodes the escapes of ANSI C; unknown ones stay. */
export function decodeEscapeSequences(bytes: string): string {
  if (!bytes.includes("\\")) return bytes;
  return bytes.replaceAll(
    /\\(?:x([0-9a-fA-F]{2})|([0-7]{1,3})|([abfnrtv])|([\\?'"]))/g,
    (_, hex?: string, octal?: string, control?: string, other = "") => {
      if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff);
      return control === undefined ? other : (controls[control] ?? "");
    },
  );
}

/**
 * Decodes the escapes of CSS: up to six digits, of which the last two count, with a blank after them; a
 * backslash before a line break is removed with it, and so is one at the end.
 */
export function decodeCss(bytes: string): string {
  if (!bytes.includes("\\")) return bytes;
  return bytes.replaceAll(/\\(?:([0-9a-fA-F]{1,6})[\t-\r ]?|\n|([^])|$)/g, (_, digits?: string, other = "") =>
    digits === undefined ? other : octetOfDigits(digits),
  );
}

function octetOfDigits(digits: string): string {
  const unit = digits.slice(-4);
  // A longer escape is a full-width character only after leading zeros.
  const isUnit = unit.length === 4 && /^0*$/.test(digits.slice(0, -4));
  return isUnit
    ? octetOfCodeUnit(Number.parseInt(unit, 16))
    : String.fromCharCode(Number.parseInt(digits.slice(-2), 16));
}
