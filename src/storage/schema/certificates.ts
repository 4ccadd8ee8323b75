import {
  flag,
  integer,
  json,
  nullable,
  reference,
  sealed,
  table,
  text,
  timestamp,
  type Row,
} from "./table.ts";

export const certificateTables = {
  /** An order and its progress. The certificates are rows of their own. */
  certificate_packs: table(
    {
      /** UUID with dashes. */
      id: text(),
      zone_id: reference("zones", "cascade"),
      type: text<"universal" | "advanced" | "total_tls">(),
      /** ASCII, lower case. */
      hosts: json<string[]>(),
      /** Stays `active` if its certificates expire. */
      status: text<
        "initializing" | "pending_validation" | "pending_issuance" | "active" | "validation_timed_out"
      >(),
      validation_method: text<"txt" | "http" | "email">(),
      validity_days: integer(),
      certificate_authority: text<"google" | "lets_encrypt" | "ssl_com" | "digicert">(),
      cloudflare_branding: flag(),
      validation_errors: json<{ message: string }[]>(),
      validation_records: json<{ status: string; txt_name: string; txt_value: string }[]>(),
      /** Failed attempts in a row. */
      failures: integer(),
      /** Null for no next step. */
      step_on: nullable(timestamp()),
      /** The end of the first of its certificates in use. */
      expires_on: nullable(timestamp()),
      created_on: timestamp(),
    },
    { indexes: [{ on: ["zone_id", "created_on", "id"] }, { on: ["step_on"] }] },
  ),
  /** Whether a zone has a universal pack; true for a zone without a row. */
  universal_settings: table({
    zone_id: reference("zones", "cascade"),
    enabled: flag(),
  }),
  /** Whether a zone has Total TLS, and up to which state of the zone the timer has ordered its packs. */
  total_tls: table({
    zone_id: reference("zones", "cascade"),
    enabled: flag(),
    certificate_authority: text<"google" | "lets_encrypt" | "ssl_com">(),
    /** Whether nobody has chosen the authority. */
    is_authority_default: flag(),
    /** Increases when all names of the zone must be examined, not only those whose records changed. */
    revision: integer(),
    seen_revision: integer(),
    /** The `dns_records_version` of the zone that the timer has examined. */
    seen_records_version: integer(),
  }),
  /** A host for which Total TLS ordered a pack. */
  total_tls_hosts: table(
    {
      zone_id: reference("zones", "cascade"),
      /** ASCII, lower case. */
      host: text(),
      /** Null once somebody has deleted the pack: then none is ordered again. */
      pack_id: nullable(reference("certificate_packs", "set null")),
    },
    { key: ["zone_id", "host"], indexes: [{ on: ["pack_id"] }] },
  ),
  /** A certificate of a pack and its key: in use (`active`), or to be issued and then to replace that. */
  pack_certificates: table(
    {
      /** Also the serial number, if the local CA issues the certificate. */
      id: text(),
      pack_id: reference("certificate_packs", "cascade"),
      key_type: text<"ecdsa" | "rsa">(),
      /** PKCS#8 in PEM. */
      private_key: sealed(),
      status: text<"initializing" | "active">(),
      /** URL of the order at an ACME CA; null before it is placed, and with the local CA. */
      order_url: nullable(text()),
      /** PEM: the certificate, followed by those of its issuers; null until it is issued. */
      chain: nullable(text()),
      hosts: json<readonly string[]>(),
      issuer: nullable(text()),
      signature: nullable(text()),
      issued_on: nullable(timestamp()),
      expires_on: nullable(timestamp()),
    },
    { indexes: [{ on: ["pack_id", "status", "key_type"], isUnique: true }] },
  ),
  /** The local CA, one for each type of key, because clients that know only RSA cannot verify ECDSA signatures. */
  certificate_authorities: table({
    key_type: text<"ecdsa" | "rsa">(),
    certificate: text(),
    /** PKCS#8 in PEM. */
    private_key: sealed(),
    created_on: timestamp(),
  }),
  custom_certificates: table(
    {
      id: text(),
      zone_id: reference("zones", "cascade"),
      type: text<"legacy_custom" | "sni_custom">(),
      /** PEM: the certificate, followed by those of its issuers. */
      chain: text(),
      /** PKCS#8 in PEM. */
      private_key: sealed(),
      /** ASCII, lower case. */
      hosts: json<readonly string[]>(),
      issuer: text(),
      signature: text(),
      bundle_method: text<"ubiquitous" | "optimal" | "force">(),
      /** In the notation of the client. */
      geo_restrictions: nullable(json<{ label: "us" | "eu" | "highest_security" }>()),
      /** If two certificates cover a host, the one with the higher priority is used. */
      priority: integer(),
      uploaded_on: timestamp(),
      modified_on: timestamp(),
      expires_on: timestamp(),
    },
    { indexes: [{ on: ["zone_id", "priority", "id"] }] },
  ),
  /** Our account at a CA that speaks ACME. */
  acme_accounts: table({
    directory_url: text(),
    /** PKCS#8 in PEM. */
    private_key: sealed(),
    created_on: timestamp(),
  }),
};

export type CertificatePackRow = Row<typeof certificateTables.certificate_packs>;
export type TotalTlsRow = Row<typeof certificateTables.total_tls>;
export type TotalTlsHostRow = Row<typeof certificateTables.total_tls_hosts>;
export type PackCertificateRow = Row<typeof certificateTables.pack_certificates>;
export type CertificateAuthorityRow = Row<typeof certificateTables.certificate_authorities>;
export type CustomCertificateRow = Row<typeof certificateTables.custom_certificates>;
export type AcmeAccountRow = Row<typeof certificateTables.acme_accounts>;
