/** What can be told of a text without parsing it, whether it is JSON or not. */

/** Most arrays and objects in one another that a client may send: no operation and no method needs more. */
export const jsonLevelsMax = 64;

export const quote = 0x22;
const backslash = 0x5c;
const openingBrace = 0x7b;
export const closingBrace = 0x7d;
const openingBracket = 0x5b;
export const closingBracket = 0x5d;

/**
 * Whether arrays and objects lie in one another more than `levels` deep. To be asked before the text is parsed: parsing a
 * text of brackets costs a hundred times more than this, and rendering what comes of it could exhaust the stack.
 */
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

/** The place behind the string that begins at `start`; the end of the text where the string has none. */
export function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end + 1;
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
