import { decodeText } from "../../expression/byte-string.ts";
import type { Found, Operator } from "./operator.ts";

const all: Found = [];

/** Matches a value with an octet outside of the ranges: `1-255` or `32,34,38-59`. Undefined if they are none. */
export function validateByteRange(ranges: string): Operator | undefined {
  const permitted = new Uint8Array(256);
  for (const range of ranges.split(",")) {
    const [, first, last = first] = /^\s*(\d{1,3})(?:\s*-\s*(\d{1,3}))?\s*$/.exec(range) ?? [];
    if (first === undefined || Number(last) > 255) return undefined;
    permitted.fill(1, Number(first), Number(last) + 1);
  }
  return (value) => {
    for (let index = 0; index < value.length; index += 1) {
      if (permitted[value.charCodeAt(index)] === 0) return all;
    }
    return undefined;
  };
}

/** Matches a value with a `%` that begins no code. */
export const validateUrlEncoding: Operator = (value) => (/%(?![0-9a-fA-F]{2})/.test(value) ? all : undefined);

/** Matches a value that is not UTF-8 (RFC 3629, section 4). */
export const validateUtf8Encoding: Operator = (value) => (decodeText(value) === undefined ? all : undefined);
