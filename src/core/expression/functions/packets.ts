import type { Implementation } from "./call-site.ts";

export const packetFunctions: Readonly<Record<string, Implementation>> = {
  bit_slice: ({ literals }) => {
    const [, start, end] = literals as readonly [unknown, number, number];
    return (first) => (first === undefined ? undefined : bitSlice(first as string, start, end));
  },
};

function bitSlice(bytes: string, start: number, end: number): number | undefined {
  if (end > bytes.length * 8) return undefined;
  let value = 0;
  for (let bit = start; bit < end; bit += 1) {
    value = value * 2 + ((bytes.charCodeAt(bit >>> 3) >>> (7 - (bit & 7))) & 1);
  }
  return value;
}
