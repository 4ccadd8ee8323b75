/**
 * Parts of a JSON text, byte for byte: a number above 2^53 or an escape would change if it were parsed and rendered.
 * All functions expect a text that `JSON.parse` accepts.
 */

import {
  closingBrace,
  closingBracket,
  comma,
  endOfString,
  isClosing,
  isOpening,
  quote,
} from "../../core/json-scan.ts";

const space = 0x20;

/** The members of an object with the text of each value. Of members with the same name the last one counts, as in `JSON.parse`. */
export function memberTexts(text: string): Map<string, string> {
  const members = new Map<string, string>();
  let at = afterSpace(text, text.indexOf("{") + 1);
  while (text.charCodeAt(at) !== closingBrace) {
    const nameEnd = endOfString(text, at);
    const name = stringOf(text.slice(at, nameEnd));
    const start = afterSpace(text, text.indexOf(":", nameEnd) + 1);
    const end = endOfValue(text, start);
    members.set(name, text.slice(start, end));
    at = afterSpace(text, end);
    if (text.charCodeAt(at) === comma) at = afterSpace(text, at + 1);
  }
  return members;
}

function stringOf(text: string): string {
  return text.includes("\\") ? (JSON.parse(text) as string) : text.slice(1, -1);
}

/** The texts of the elements of an array. */
export function elementTexts(text: string): string[] {
  const elements: string[] = [];
  let at = afterSpace(text, text.indexOf("[") + 1);
  while (text.charCodeAt(at) !== closingBracket) {
    const end = endOfValue(text, at);
    elements.push(text.slice(at, end));
    at = afterSpace(text, end);
    if (text.charCodeAt(at) === comma) at = afterSpace(text, at + 1);
  }
  return elements;
}

function endOfValue(text: string, start: number): number {
  const first = text.charCodeAt(start);
  if (first === quote) return endOfString(text, start);
  if (!isOpening(first)) return endOfLiteral(text, start);
  let depth = 0;
  for (let at = start; ; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at) - 1;
    else if (isOpening(code)) depth += 1;
    else if (isClosing(code)) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
}

/** The end of a number, `true`, `false` or `null`. */
function endOfLiteral(text: string, start: number): number {
  let at = start;
  while (at < text.length && isInLiteral(text.charCodeAt(at))) at += 1;
  return at;
}

function isInLiteral(code: number): boolean {
  return code > space && code !== comma && !isClosing(code);
}

function afterSpace(text: string, start: number): number {
  let at = start;
  while (text.charCodeAt(at) <= space) at += 1;
  return at;
}
