/** Octets that ModSecurity takes for white space: ASCII's and the no-break space of Latin-1. */
const blanks = /[\t-\r \u00a0]+/g;

export function compressWhitespace(bytes: string): string {
  return bytes.replaceAll(blanks, " ");
}

export function removeWhitespace(bytes: string): string {
  return bytes.replaceAll(blanks, "");
}

export function removeNulls(bytes: string): string {
  return bytes.replaceAll("\0", "");
}

/** Replaces each C comment with a space; the last may be unclosed. */
export function replaceComments(bytes: string): string {
  return withoutComments(bytes, " ");
}

/** Removes comments of C, SQL and HTML; the last may be unclosed. */
export function removeComments(bytes: string): string {
  return withoutComments(bytes, "").replaceAll(/<!--(?:[^-]|-(?!->))*(?:-->)?|(?:--|#)[^]*$/g, "");
}

export function removeCommentMarks(bytes: string): string {
  return bytes.replaceAll(/\/\*|\*\/|<!--|-->|--|#/g, "");
}

/** Removes quotes, escapes and blanks that shells ignore, and converts letters to lower case. */
export function normalizeCommandLine(bytes: string): string {
  if (!/["'^\\ ,;\t\r\nA-Z]/.test(bytes)) return bytes;
  return bytes
    .replaceAll(/["'^\\]/g, "")
    .replaceAll(/[ ,;\t\r\n]+/g, " ")
    .replaceAll(/ (?=[/(])/g, "")
    .replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

function withoutComments(bytes: string, instead: string): string {
  let text = "";
  let at = 0;
  for (;;) {
    const begin = bytes.indexOf("/*", at);
    if (begin < 0) return text + bytes.slice(at);
    text += bytes.slice(at, begin) + instead;
    const end = bytes.indexOf("*/", begin + 2);
    if (end < 0) return text;
    at = end + 2;
  }
}

/**
 * Removes empty segments, `.`, and `..` with the segment before it; a leading `..` of a relative path stays.
 */
export function normalizePath(bytes: string): string {
  if (!bytes.includes("/")) return bytes;
  const isAbsolute = bytes.startsWith("/");
  const segments = bytes.split("/");
  const last = segments.at(-1) ?? "";
  const kept: string[] = [];
  for (const segment of segments) {
    if (segment === "" || segment === ".") continue;
    if (segment !== "..") kept.push(segment);
    else if (kept.length > 0 && kept.at(-1) !== "..") kept.pop();
    else if (!isAbsolute) kept.push(segment);
  }
  const isFolder = kept.length > 0 && (last === "" || last === "." || last === "..");
  return (isAbsolute ? "/" : "") + kept.join("/") + (isFolder ? "/" : "");
}

/** Normalizes a path that may have backslashes, like `normalizePath`. */
export function normalizeWindowsPath(bytes: string): string {
  return normalizePath(bytes.replaceAll("\\", "/"));
}
