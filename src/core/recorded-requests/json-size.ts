import { isClosing, isOpening, quote } from "../json-scan.ts";

const comma = 0x2c;
const backslash = 0x5c;

/** What parsing a JSON text would take, at most. */
interface JsonBounds {
  /** Arrays and objects in one another. */
  readonly levelsMax: number;
  /** Values, those within others included. */
  readonly valuesMax: number;
}

/** Which bound a text exceeds, before it is parsed; undefined for none. The text may be anything. */
export function exceededBound(
  text: string,
  { levelsMax, valuesMax }: JsonBounds,
): keyof JsonBounds | undefined {
  let levels = 0;
  let values = 1;
  let isInString = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (isInString) {
      if (code === backslash) at += 1;
      else if (code === quote) isInString = false;
    } else if (code === quote) isInString = true;
    else if (isOpening(code)) {
      levels += 1;
      values += 1;
      if (levels > levelsMax) return "levelsMax";
    } else if (isClosing(code)) levels -= 1;
    else if (code === comma) values += 1;
    if (values > valuesMax) return "valuesMax";
  }
  return undefined;
}
