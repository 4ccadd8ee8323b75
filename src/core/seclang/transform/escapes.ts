import { octetOfCodeUnit } from "./encodings.ts";

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
