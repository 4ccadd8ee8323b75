import { errorCodes } from "../error-codes.ts";
import type { AppError } from "../error.ts";
import { dnsError } from "./dns-error.ts";
import type { RecordType } from "./record-types.ts";

const moreDetails =
  "For more details, refer to <https://developers.cloudflare.com/dns/manage-dns-records/troubleshooting/records-with-same-name/>.";
const addressTypes = new Set(["A", "AAAA", "CNAME"]);
/** The types that a delegated name may have: NS, and DS to sign the delegation (RFC 4035 section 2.4). */
const typesWithDelegation = new Set(["NS", "DS"]);

/** The error for a record that exists already. */
export function identicalRecord(): AppError {
  return dnsError(errorCodes.dnsRecords.identical, "An identical record already exists.", "/content");
}

/**
 * The error for a record that may not share its name with records of these types; undefined if it may
 * (docs/contract/dns-records.md#records-of-one-name). Every message contains `already exist`, which a client
 * looks for.
 */
export function findConflict(
  record: { readonly type: RecordType; readonly isAtApex: boolean },
  others: ReadonlySet<string>,
): AppError | undefined {
  if (record.type === "CNAME" && !others.isDisjointFrom(addressTypes)) {
    return dnsError(
      errorCodes.dnsRecords.addressAtName,
      `An A, AAAA, or CNAME record with that host already exists. ${moreDetails}`,
      "/name",
    );
  }
  if (addressTypes.has(record.type) && others.has("CNAME")) {
    return dnsError(
      errorCodes.dnsRecords.cnameAtName,
      `A CNAME record with that host already exists. ${moreDetails}`,
      "/name",
    );
  }
  if (record.isAtApex) return undefined;
  if (record.type === "NS" && !others.isSubsetOf(typesWithDelegation)) {
    return dnsError(
      errorCodes.dnsRecords.recordAtDelegation,
      `A record with that host already exists, and a delegation stands alone. ${moreDetails}`,
      "/name",
    );
  }
  if (!typesWithDelegation.has(record.type) && others.has("NS")) {
    return dnsError(
      errorCodes.dnsRecords.delegationAtName,
      `NS records with that host already exist. ${moreDetails}`,
      "/name",
    );
  }
  return undefined;
}
