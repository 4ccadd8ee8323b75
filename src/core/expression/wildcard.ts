import { lowerAscii } from "./byte-string.ts";

/** The texts between the stars of a wildcard, without escapes, as byte strings. */
type Wildcard = readonly string[];

/** Parses a wildcard: `*` matches any octets; `\*` and `\\` are escapes. */
export function parseWildcard(pattern: string, starsMax: number): Wildcard | { readonly issue: string } {
  const pieces = [""];
  let hasDoubleStar = false;
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern.charAt(at);
    if (character === "*") {
      hasDoubleStar ||= pieces.length > 1 && pieces.at(-1) === "";
      pieces.push("");
      continue;
    }
    if (character === "\\") {
      const escaped = pattern.charAt(at + 1);
      if (escaped !== "*" && escaped !== "\\") return { issue: invalidEscape(at, escaped) };
      at += 1;
      pieces[pieces.length - 1] += escaped;
    } else pieces[pieces.length - 1] += character;
  }
  const stars = pieces.length - 1;
  if (stars > starsMax) {
    return { issue: `wildcard has ${stars} star metacharacters, but the limit is ${starsMax}` };
  }
  return hasDoubleStar ? { issue: "wildcard contains a double star" } : pieces;
}

function invalidEscape(position: number, escaped: string): string {
  const what =
    escaped === ""
      ? "incomplete escape sequence at the end of the wildcard"
      : `invalid escape sequence \\${escaped}`;
  return `invalid wildcard: wildcard syntax error at position ${position}: ${what}`;
}

/** Tests a whole byte string. Without `isStrict`, ASCII case is ignored. */
export function wildcardTest(wildcard: Wildcard, isStrict: boolean): (bytes: string) => boolean {
  const pieces = isStrict ? wildcard : wildcard.map(lowerAscii);
  const fold = isStrict ? (bytes: string): string => bytes : lowerAscii;
  const [first = "", ...others] = pieces;
  const last = others.pop();
  if (last === undefined) return (bytes) => bytes.length === first.length && fold(bytes) === first;
  const lengthMin = pieces.reduce((sum, piece) => sum + piece.length, 0);
  return (bytes) => {
    if (bytes.length < lengthMin) return false;
    const folded = fold(bytes);
    if (!folded.startsWith(first) || !folded.endsWith(last)) return false;
    let at = first.length;
    for (const piece of others) {
      const found = folded.indexOf(piece, at);
      if (found === -1) return false;
      at = found + piece.length;
    }
    return at + last.length <= folded.length;
  };
}

/** The text that each star matches, as short as possible from left to right; undefined without a match. */
export function wildcardCaptures(wildcard: Wildcard, isStrict: boolean, bytes: string): string[] | undefined {
  if (!wildcardTest(wildcard, isStrict)(bytes)) return undefined;
  const folded = isStrict ? bytes : lowerAscii(bytes);
  const captures: string[] = [];
  let at = wildcard[0]?.length ?? 0;
  for (let index = 1; index < wildcard.length; index += 1) {
    const piece = wildcard[index] ?? "";
    const isLast = index === wildcard.length - 1;
    const end = isLast
      ? bytes.length - piece.length
      : folded.indexOf(isStrict ? piece : lowerAscii(piece), at);
    captures.push(bytes.slice(at, end));
    at = end + piece.length;
  }
  return captures;
}

/** Texts in turn with the numbers of groups. */
export type Replacement = readonly (string | number)[];

const groupMax = 8;
const referencesMax = 8;
const part = /\$\$|\$\{([1-9])\}|\$|[^$]+/g;

/** Parses `${1}` to `${8}` and `$$`. */
export function parseReplacement(bytes: string): Replacement | { readonly issue: string } {
  const parts: (string | number)[] = [];
  let references = 0;
  for (const [found, group] of bytes.matchAll(part)) {
    if (found === "$") return { issue: "a dollar sign must be `$$` or begin a reference such as `${1}`" };
    if (group === undefined) parts.push(found === "$$" ? "$" : found);
    else {
      references += 1;
      if (Number(group) > groupMax) return { issue: `references go up to \${${groupMax}}` };
      parts.push(Number(group));
    }
  }
  return references > referencesMax ? { issue: `more than ${referencesMax} references` } : parts;
}
