import { dnsError } from "./dns-error.ts";
import { twoOctets } from "./fields.ts";
import { isGiven } from "./json.ts";

/**
 * The top-level priority of a record, 0 to 65535. Throws 9101 when it is absent and 9102 when it is no such
 * number, both at `/priority` (wire contract 5.2).
 */
export function readPriority(value: unknown): number {
  if (!isGiven(value)) throw dnsError(9101, "priority is a required field.", "/priority");
  const priority = twoOctets.read(value, "");
  if (priority === undefined) throw dnsError(9102, `priority must be ${twoOctets.expectation}.`, "/priority");
  return Number(priority);
}
