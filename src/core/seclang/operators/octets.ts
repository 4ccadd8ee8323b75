import { decodeText } from "../../expression/byte-string.ts";

export function outsideOfRanges(ranges: string): ((value: string) => boolean) | undefined {
  const permitted = new Uint8Array(256);
  for (const range of ranges.split(",")) {
    const [, first, last = first] = /^\s*(\d{1,3})(?:\s*-\s*(\d{1,3}))?\s*$/.exec(range) ?? [];
    if (first === undefined || Number(last) > 255) return undefined;
    permitted.fill(1, Number(first), Number(last) + 1);
  }
  return (value) => {
    for (let index = 0; index < value.length; index += 1) {
      if (permitted[value.charCodeAt(index)] === 0) return true;
    }
    return false;
  };
}

/** Whether a value has a `%` without two hexadecimal digits after it. */
export function hasWrongUrlEncoding(value: string): boolean {
  return /%(?![0-9a-fA-F]{2})/.test(value);
}

/** Whether a value is invalid UTF-8 (RFC 3629 section 4). */
export function hasWrongUtf8(value: string): boolean {
  return decodeText(value) === undefined;
}
