/** Octets that ModSecurity takes for blanks: those of ASCII and the no-break space of Latin-1. */
const blanks = /[\t-\r \u00a0]+/g;

/** Each run of blanks becomes one space. */
export function compressWhitespace(bytes: string): string {
  return bytes.replaceAll(blanks, " ");
}

export function removeWhitespace(bytes: string): string {
  return bytes.replaceAll(blanks, "");
}

export function removeNulls(bytes: string): string {
  return bytes.replaceAll("\0", "");
}

/** Each comment of C becomes a space, also one without an end. */
export function replaceComments(bytes: string): string {
  return withoutComments(bytes, " ");
}

/** Removes comments of C, SQL and HTML, each also without an end. */
export function removeComments(bytes: string): string {
  return withoutComments(bytes, "").replaceAll(/<!--(?:[^-]|-(?!->))*(?:-->)?|(?:--|#)[^]*$/g, "");
}

/** Removes what begins and ends comments. */
export function removeCommentMarks(bytes: string): string {
  return bytes.replaceAll(/\/\*|\*\/|<!--|-->|--|#/g, "");
}

/** Blanks, quotes and escapes that shells overlook go, and letters become lower case. */
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
