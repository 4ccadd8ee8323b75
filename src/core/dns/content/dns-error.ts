import { errorCodes } from "../../error-codes.ts";
import { AppError } from "../../error.ts";
import { isJsonObject } from "../../json.ts";
import type { RdataInput } from "./record-types.ts";

/**
 * The error for a refused DNS name or record: kind `invalid`. `code` and `message` are repeated as the only
 * link of `chain`, where older clients look for the specific reason (docs/contract/errors.md#chains).
 */
export function dnsError(code: number, message: string, pointer: string): AppError {
  return new AppError("invalid", code, message, { pointer, chain: [{ code, message }] });
}

/** 9007: a record of this type cannot have this content. */
export function invalidContent(type: string): AppError {
  return dnsError(errorCodes.dnsRecords.invalidContent, `Content for ${type} record is invalid.`, "/content");
}

/** 9011: the content is absent or blank. */
export function emptyContent(type: string): AppError {
  return dnsError(
    errorCodes.dnsRecords.emptyContent,
    `Content for ${type} record must not be empty.`,
    "/content",
  );
}

/** 9015: the data needs more than 4096 octets on the wire. */
export function contentTooLong(pointer: string): AppError {
  return dnsError(
    errorCodes.dnsRecords.contentTooLong,
    "Record content exceeds the allowed length of 4096 wire format bytes.",
    pointer,
  );
}

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
