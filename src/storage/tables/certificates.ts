import type { Flag, Json, Sealed, Timestamp } from "../columns.ts";

/** An order and its progress. The certificates are rows of their own. */
export interface CertificatePackRow {
  /** UUID with dashes. */
  id: string;
  zone_id: string;
  type: "universal" | "advanced" | "total_tls";
  /** ASCII, lower case. */
  hosts: Json<string[]>;
  /** Stays `active` if its certificates expire. */
  status: "initializing" | "pending_validation" | "pending_issuance" | "active" | "validation_timed_out";
  validation_method: "txt" | "http" | "email";
  validity_days: number;
  certificate_authority: "google" | "lets_encrypt" | "ssl_com" | "digicert";
  cloudflare_branding: Flag;
  validation_errors: Json<{ message: string }[]>;
  validation_records: Json<{ status: string; txt_name: string; txt_value: string }[]>;
  /** Failed attempts in a row. */
  failures: number;
  /** When its next step is due; null for never. */
  step_on: Timestamp | null;
  /** When the first of its certificates in use expires. */
  expires_on: Timestamp | null;
  created_on: Timestamp;
}

/** Whether a zone has a universal pack; true for a zone without a row. */
export interface UniversalSettingsRow {
  zone_id: string;
  enabled: Flag;
}

/** Whether a zone has Total TLS, and up to which state of the zone the timer has ordered its packs. */
export interface TotalTlsRow {
  zone_id: string;
  enabled: Flag;
  certificate_authority: "google" | "lets_encrypt" | "ssl_com";
  /** Whether nobody has chosen the authority. */
  is_authority_default: Flag;
  /** Increases when all names of the zone must be examined, not only those whose records changed. */
  revision: number;
  seen_revision: number;
  /** The `dns_records_version` of the zone that the timer has examined. */
  seen_records_version: number;
}

/** A host for which Total TLS ordered a pack. */
export interface TotalTlsHostRow {
  zone_id: string;
  /** ASCII, lower case. */
  host: string;
  /** Null once somebody has deleted the pack: then none is ordered again. */
  pack_id: string | null;
}

/** A certificate of a pack and its key: in use (`active`), or to be issued and then to replace that. */
export interface PackCertificateRow {
  /** Also the serial number, if the local CA issues the certificate. */
  id: string;
  pack_id: string;
  key_type: "ecdsa" | "rsa";
  /** PKCS#8 in PEM. */
  private_key: Sealed;
  status: "initializing" | "active";
  /** URL of the order at an ACME CA; null before it is placed, and with the local CA. */
  order_url: string | null;
  /** PEM: the certificate, followed by those of its issuers; null until it is issued. */
  chain: string | null;
  hosts: Json<readonly string[]>;
  issuer: string | null;
  signature: string | null;
  issued_on: Timestamp | null;
  expires_on: Timestamp | null;
}

/** The local CA, one for each type of key, because clients that know only RSA cannot verify ECDSA signatures. */
export interface CertificateAuthorityRow {
  key_type: "ecdsa" | "rsa";
  /** PEM. */
  certificate: string;
  /** PKCS#8 in PEM. */
  private_key: Sealed;
  created_on: Timestamp;
}

/** A certificate that a user uploaded. */
export interface CustomCertificateRow {
  id: string;
  zone_id: string;
  type: "legacy_custom" | "sni_custom";
  /** PEM: the certificate, followed by those of its issuers. */
  chain: string;
  /** PKCS#8 in PEM. */
  private_key: Sealed;
  /** ASCII, lower case. */
  hosts: Json<readonly string[]>;
  issuer: string;
  signature: string;
  bundle_method: "ubiquitous" | "optimal" | "force";
  /** As it was sent. */
  geo_restrictions: Json<{ label: "us" | "eu" | "highest_security" }> | null;
  /** If two certificates cover a host, the one with the higher priority is used. */
  priority: number;
  uploaded_on: Timestamp;
  modified_on: Timestamp;
  expires_on: Timestamp;
}

/** Our account at a CA that speaks ACME. */
export interface AcmeAccountRow {
  directory_url: string;
  /** PKCS#8 in PEM. */
  private_key: Sealed;
  created_on: Timestamp;
}
