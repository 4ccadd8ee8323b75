import { contentTooLong } from "./dns-error.ts";
import { isJsonObject } from "../json-object.ts";
import type { RdataInput } from "./record-types.ts";

/** Most octets of a record's data on the wire. */
export const octetsMax = 4096;

// Four characters can stand for an octet, and white space between tokens for none.
const textLengthMax = 8 * octetsMax;

/** Throws 9015 for a text that is too long for any record, before any work is spent on it. */
export function refuseOversized({ content, data }: RdataInput): void {
  if (isOversized(content)) throw contentTooLong("/content");
  if (isJsonObject(data) && Object.values(data).some(isOversized)) throw contentTooLong("/data");
}

function isOversized(value: unknown): boolean {
  return typeof value === "string" && value.length > textLengthMax;
}
