import { WireError } from "./octets.ts";

/**
 * Names in messages as text: labels joined by dots, without a final dot, in the letter case of the message; `.` is
 * the root. Octets that are not printable ASCII are written as `\DDD`; a dot or backslash inside a label is escaped
 * with a backslash. Each name has exactly one text.
 */

export const labelOctetsMax = 63;
/** Includes the length octets and the root label. */
export const nameOctetsMax = 255;

const dot = 46;
const backslash = 92;

/** Appends an octet of a label, escaped where needed, to the code units of a text. */
export function pushEscaped(codes: number[], octet: number): void {
  if (octet > 32 && octet < 127) {
    if (octet === dot || octet === backslash) codes.push(backslash);
    codes.push(octet);
    return;
  }
  codes.push(backslash, 48 + Math.floor(octet / 100), 48 + (Math.floor(octet / 10) % 10), 48 + (octet % 10));
}

/** A name as names are compared: ASCII letters in lower case (RFC 4343). */
export function foldName(name: string): string {
  return name.toLowerCase();
}

/** The index after the first label and its dot; the length of `name` for its last label. */
function firstLabelEnd(name: string, from: number): number {
  for (let at = from; at < name.length; at += 1) {
    const code = name.charCodeAt(at);
    if (code === backslash) at += 1;
    else if (code === dot) return at;
  }
  return name.length;
}

/** The name without its first label; undefined for the root and for a single label, whose parent is the root. */
export function parentOf(name: string): string | undefined {
  const end = name.includes("\\") ? firstLabelEnd(name, 0) : name.indexOf(".");
  return end === -1 || end >= name.length - 1 ? undefined : name.slice(end + 1);
}

/** The root has none. */
export function countLabels(name: string): number {
  if (name === ".") return 0;
  let count = 1;
  for (let at = firstLabelEnd(name, 0); at < name.length; at = firstLabelEnd(name, at + 1)) count += 1;
  return count;
}

/** Whether a folded name is `ancestor`, folded too, or lies below it. */
export function isAtOrBelow(name: string, ancestor: string): boolean {
  if (ancestor === "." || name === ancestor) return true;
  if (!name.endsWith(ancestor)) return false;
  const before = name.length - ancestor.length - 1;
  if (name.charCodeAt(before) !== dot) return false;
  let backslashes = 0;
  while (name.charCodeAt(before - 1 - backslashes) === backslash) backslashes += 1;
  return backslashes % 2 === 0;
}

/**
 * The octets of a name on the wire, uncompressed. One final dot is allowed. Throws a WireError for an empty label, one
 * above 63 octets, a name above 255 and a malformed escape.
 */
export function nameToOctets(name: string): string {
  if (name === ".") return "\0";
  let octets = "";
  for (let at = 0; at < name.length;) {
    const end = firstLabelEnd(name, at);
    const label = labelToOctets(name.slice(at, end));
    octets += String.fromCharCode(label.length) + label;
    at = end + 1;
  }
  if (octets === "" || octets.length >= nameOctetsMax) throw new WireError("a name has 1 to 255 octets");
  return `${octets}\0`;
}

/**
 * The octets of a label, without its length. Throws a WireError for an empty one, one above 63 octets and a malformed
 * escape.
 */
export function labelToOctets(label: string): string {
  const octets = unescapeLabel(label);
  if (octets.length === 0 || octets.length > labelOctetsMax)
    throw new WireError("a label has 1 to 63 octets");
  return octets;
}

function unescapeLabel(label: string): string {
  if (!label.includes("\\") && /^[\x21-\x7e]*$/.test(label)) return label;
  const octets = label.replaceAll(/\\(\d{3})|\\(\D)/g, (_, decimal?: string, literal?: string) =>
    decimal === undefined ? (literal ?? "") : String.fromCharCode(Number(decimal)),
  );
  const isWellFormed = /^(?:[^\\]|\\(?:\d{3}|\D))*$/s.test(label) && /^[\0-\xff]*$/.test(octets);
  if (!isWellFormed) throw new WireError("an escape is malformed");
  return octets;
}

/** The uncompressed name in `octets` at `from`, and where it ends. Throws a WireError if there is none. */
export function nameAt(octets: string, from: number): { readonly name: string; readonly end: number } {
  const codes: number[] = [];
  let at = from;
  for (let length = octets.charCodeAt(at); length !== 0; length = octets.charCodeAt(at)) {
    const end = at + length + 1;
    // Also false beyond the end, where the length is NaN.
    if (!(length <= labelOctetsMax && end - from < nameOctetsMax && end < octets.length)) {
      throw new WireError("a name is malformed");
    }
    if (codes.length > 0) codes.push(dot);
    while ((at += 1) < end) pushEscaped(codes, octets.charCodeAt(at));
  }
  return { name: codes.length === 0 ? "." : String.fromCharCode(...codes), end: at + 1 };
}
