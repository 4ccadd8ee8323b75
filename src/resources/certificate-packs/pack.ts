import { fromJson } from "../../storage/columns.ts";
import type { Timestamp } from "../../storage/schema/table.ts";
import type { CertificatePackRow, PackCertificateRow } from "../../storage/schema/certificates.ts";
import type { CertificatePack, CertificateVerification, PackStatus } from "./schema.ts";

/** A pack with its certificates in use, the one for ECDSA first. */
export interface PackWithCertificates {
  readonly pack: CertificatePackRow;
  readonly certificates: readonly PackCertificateRow[];
}

/** The status at a time: certificates expire without an event. */
function statusAt({ status, expires_on }: CertificatePackRow, now: Timestamp): PackStatus {
  return status === "active" && expires_on !== null && expires_on <= now ? "expired" : status;
}

export function toCertificatePack(
  { pack, certificates }: PackWithCertificates,
  now: Timestamp,
): CertificatePack {
  const [primary] = certificates;
  const records = fromJson(pack.validation_records);
  const errors = fromJson(pack.validation_errors);
  return {
    id: pack.id,
    type: pack.type,
    hosts: fromJson(pack.hosts),
    ...(primary && { primary_certificate: primary.id }),
    status: statusAt(pack, now),
    certificates: certificates.map((certificate) => toCertificate(pack, certificate, now)),
    created_on: pack.created_on,
    validity_days: pack.validity_days as CertificatePack["validity_days"],
    validation_method: pack.validation_method,
    certificate_authority: pack.certificate_authority,
    ...(pack.type === "advanced" && { cloudflare_branding: pack.cloudflare_branding === 1 }),
    ...(records.length > 0 && { validation_records: records }),
    ...(errors.length > 0 && { validation_errors: errors }),
  };
}

function toCertificate(
  { zone_id }: CertificatePackRow,
  { id, hosts, issuer, signature, issued_on, expires_on }: PackCertificateRow,
  now: Timestamp,
): CertificatePack["certificates"][number] {
  return {
    id,
    hosts: [...fromJson(hosts)],
    issuer: issuer ?? "",
    signature: signature ?? "",
    status: (expires_on ?? "") <= now ? "expired" : "active",
    bundle_method: "ubiquitous",
    zone_id,
    uploaded_on: issued_on ?? "",
    modified_on: issued_on ?? "",
    expires_on: expires_on ?? "",
    priority: null,
  };
}

const verificationStatuses: Readonly<Record<string, CertificateVerification["certificate_status"]>> = {
  initializing: "initializing",
  pending_validation: "authorizing",
  pending_issuance: "issuing",
  active: "active",
  expired: "expired",
  validation_timed_out: "timing_out",
};

/** The progress of a pack for `ssl/verification`. */
export function toVerification(
  { pack, certificates }: PackWithCertificates,
  now: Timestamp,
): CertificateVerification {
  const status = verificationStatuses[statusAt(pack, now)] ?? "initializing";
  const [primary] = certificates;
  return {
    certificate_status: status,
    brand_check: false,
    cert_pack_uuid: pack.id,
    ...(primary?.signature != null && { signature: primary.signature }),
    validation_method: pack.validation_method,
    verification_status: ["issuing", "active", "expired"].includes(status),
  };
}
