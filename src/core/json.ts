export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A value that is already JSON, to be sent without parsing and serializing it again. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Items of a list that are already JSON, joined by commas. */
export class JsonItems {
  readonly text: string;
  readonly length: number;

  constructor(text: string, length: number) {
    this.text = text;
    this.length = length;
  }
}

/** The JSON of items, joined by commas. */
export function renderItems(items: readonly unknown[] | JsonItems): string {
  return items instanceof JsonItems ? items.text : items.map(renderJson).join(",");
}

/** The JSON of a value; `null` for undefined. */
export function renderJson(value: unknown): string {
  return value instanceof JsonText ? value.text : (JSON.stringify(value) ?? "null");
}

/** Maximum of nested arrays and objects in requests. */
export const jsonLevelsMax = 64;

export const quote = 0x22;
const backslash = 0x5c;
export const comma = 0x2c;
const openingBrace = 0x7b;
export const closingBrace = 0x7d;
const openingBracket = 0x5b;
export const closingBracket = 0x5d;

interface JsonBounds {
  readonly levelsMax: number;
  readonly valuesMax?: number;
}

/**
 * The limit that a text exceeds. It is checked before parsing: parsing nested brackets costs a hundred times
 * more and may exhaust the stack.
 */
export function exceededBound(
  text: string,
  { levelsMax, valuesMax = Number.POSITIVE_INFINITY }: JsonBounds,
): keyof JsonBounds | undefined {
  let levels = 0;
  let values = 1;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at) - 1;
    else if (isOpening(code)) {
      levels += 1;
      if (levels > levelsMax) return "levelsMax";
      values += 1;
    } else if (isClosing(code)) levels -= 1;
    else if (code === comma) values += 1;
    if (values > valuesMax) return "valuesMax";
  }
  return undefined;
}

export function isNestedDeeper(text: string, levelsMax: number): boolean {
  return text.length > levelsMax && exceededBound(text, { levelsMax }) !== undefined;
}

/** Whether a text is nested deeper than clients may send. It is checked before parsing. */
export function isNestedTooDeep(text: string): boolean {
  return isNestedDeeper(text, jsonLevelsMax);
}

/** The position after the string that begins at `start`; the end of the text for an open string. */
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
