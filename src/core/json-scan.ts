/** What can be told of a JSON text without parsing it. Every text here is one that `JSON.parse` has taken. */

export const quote = 0x22;
const backslash = 0x5c;
const openingBrace = 0x7b;
export const closingBrace = 0x7d;
const openingBracket = 0x5b;
export const closingBracket = 0x5d;

/** Whether arrays and objects lie in one another more than `levels` deep: rendering such a value could exhaust the stack. */
export function isNestedDeeperThan(levels: number, text: string): boolean {
  if (text.length <= levels) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at) - 1;
    else if (isOpening(code)) {
      depth += 1;
      if (depth > levels) return true;
    } else if (isClosing(code)) depth -= 1;
  }
  return false;
}

/** The place behind the string that begins at `start`. */
export function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end + 1;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(at - 1 - backslashes) === backslash) backslashes += 1;
  return backslashes % 2 === 1;
}

export function isOpening(code: number): boolean {
  return code === openingBrace || code === openingBracket;
}

export function isClosing(code: number): boolean {
  return code === closingBrace || code === closingBracket;
}
