import { errorCodes } from "../error-codes.ts";
import { dnsError } from "./dns-error.ts";
import { twoOctets } from "./fields.ts";
import { isGiven } from "./json.ts";

/**
 * The top-level priority of a record, 0 to 65535. Errors, at `/priority`: 9101 if it is absent, 9102 if it is
 * anything else.
 */
export function readPriority(value: unknown): number {
  if (!isGiven(value))
    throw dnsError(errorCodes.dnsRecords.missingField, "priority is a required field.", "/priority");
  const priority = twoOctets.read(value, "");
  if (priority === undefined)
    throw dnsError(
      errorCodes.dnsRecords.invalidField,
      `priority must be ${twoOctets.expectation}.`,
      "/priority",
    );
  return Number(priority);
}
