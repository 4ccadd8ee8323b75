import { errorCodes } from "../error-codes.ts";
import type { AppError } from "../error.ts";
import { dnsError } from "./dns-error.ts";
import { twoOctets } from "./fields.ts";
import { isGiven } from "./json.ts";

/** The top-level priority of a record, 0 to 65535, or its error. */
export function readPriority(value: unknown): number | AppError {
  if (!isGiven(value)) return priorityError(undefined);
  const priority = twoOctets.read(value, "");
  return priority === undefined ? priorityError(twoOctets.expectation) : Number(priority);
}

/** The error for a top-level priority: 9100 if it is absent, 9102 if it is not as expected. */
export function priorityError(expectation: string | undefined): AppError {
  return expectation === undefined
    ? dnsError(errorCodes.dnsRecords.missingPriority, "priority is a required field.", "/priority")
    : dnsError(errorCodes.dnsRecords.invalidField, `priority must be ${expectation}.`, "/priority");
}
