import { errorCodes } from "../../error-codes.ts";
import type { AppError } from "../../error.ts";
import { dnsError } from "./dns-error.ts";
import type { RecordType } from "./record-types.ts";

const moreDetails =
  "For more details, refer to <https://developers.cloudflare.com/dns/manage-dns-records/troubleshooting/records-with-same-name/>.";
const addressTypes = new Set(["A", "AAAA", "CNAME"]);
/** The types that a delegated name may have: NS, and DS to sign the delegation (RFC 4035 section 2.4). */
const typesWithDelegation = new Set(["NS", "DS"]);
/** Most characters of content that all records of a name and type have together. */
const combinedContentMax = 8_192;

/** The types of records at a name, each with the characters of content that its records have together. */
export type TypesAtName = ReadonlyMap<string, number>;

/** The characters that count towards the limit of a name and type. */
export function contentLength(content: string): number {
  // Stores fold the case, which changes the number of some letters.
  return Array.from(content.toLowerCase()).length;
}

/** The error for a record that exists already. */
export function identicalRecord(): AppError {
  return dnsError(errorCodes.dnsRecords.identical, "An identical record already exists.", "/content");
}

interface Placed {
  readonly type: RecordType;
  readonly isAtApex: boolean;
  readonly content: string;
  /** The content that it has until now at this name with this type. */
  readonly contentBefore?: string | undefined;
}

/**
 * The error for a record that may not share its name with records of these types, or makes their content too long;
 * undefined if there is none (docs/contract/dns-records.md#records-of-one-name). Every message on a name contains
 * `already exist`, which a client looks for.
 */
export function findConflict(record: Placed, others: TypesAtName): AppError | undefined {
  return nameConflict(record, new Set(others.keys())) ?? lengthConflict(record, others);
}

function lengthConflict(
  { type, content, contentBefore = "" }: Placed,
  others: TypesAtName,
): AppError | undefined {
  const length = contentLength(content);
  // Texts stored before this limit may be above it: a change that shortens them is taken.
  const isTooLong = (others.get(type) ?? 0) + length > combinedContentMax;
  if (!isTooLong || length <= contentLength(contentBefore)) return undefined;
  return dnsError(
    errorCodes.dnsRecords.combinedContentTooLong,
    `Combined content length of records with this name and type must not exceed ${combinedContentMax} characters.`,
    "/content",
  );
}

function nameConflict(
  record: Pick<Placed, "type" | "isAtApex">,
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
      "Non-NS records with that host already exists.",
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
