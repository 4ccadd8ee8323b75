import { Type, type Static } from "@sinclair/typebox";

import { OneOf, OptionalNullable } from "../../operation/schema.ts";

const packStatuses = [
  "initializing",
  "pending_validation",
  "deleted",
  "pending_issuance",
  "pending_deployment",
  "pending_deletion",
  "pending_expiration",
  "expired",
  "active",
  "initializing_timed_out",
  "validation_timed_out",
  "issuance_timed_out",
  "deployment_timed_out",
  "deletion_timed_out",
  "pending_cleanup",
  "staging_deployment",
  "staging_active",
  "deactivating",
  "inactive",
  "backup_issued",
  "holding_deployment",
] as const;
export type PackStatus = (typeof packStatuses)[number];

const ValidationMethod = OneOf(["txt", "http", "email"], {
  description: "How to prove control of the hosts. It is stored and answered, but the issuer decides.",
});
const CertificateAuthority = OneOf(["google", "lets_encrypt", "ssl_com", "digicert"], {
  description: "The requested authority; each certificate says who really issued it.",
});
const validityDays = [14, 30, 90, 365] as const;
const ValidityDays = Type.Unsafe<(typeof validityDays)[number]>(
  Type.Union(
    validityDays.map((days) => Type.Literal(days)),
    { description: "Days for which each certificate is to be valid." },
  ),
);

const PackCertificate = Type.Object({
  id: Type.String({ description: "Identifier of the certificate, 32 hexadecimal characters." }),
  hosts: Type.Array(Type.String()),
  issuer: Type.String({ description: "Who issued it, as the certificate itself says." }),
  signature: Type.String({ description: "`ECDSAWithSHA256` or `SHA256WithRSA`." }),
  status: Type.String(),
  bundle_method: Type.Literal("ubiquitous"),
  zone_id: Type.String(),
  uploaded_on: Type.String({ format: "date-time" }),
  modified_on: Type.String({ format: "date-time" }),
  expires_on: Type.String({ format: "date-time" }),
  priority: Type.Null(),
});

/** A certificate pack (docs/contract/certificates.md). */
export const CertificatePack = Type.Object({
  id: Type.String({ format: "uuid" }),
  type: OneOf(["universal", "advanced", "total_tls"], {
    description:
      "`universal`: comes with an active zone, and covers it and the names one label below. `total_tls`: ordered by Total TLS.",
  }),
  hosts: Type.Array(Type.String()),
  primary_certificate: Type.Optional(
    Type.String({
      description: "Identifier of the certificate for clients that support ECDSA; absent until it is issued.",
    }),
  ),
  status: OneOf(packStatuses, {
    description: "How far the pack is; `active` when its certificates can be served.",
  }),
  certificates: Type.Array(PackCertificate),
  created_on: Type.String({ format: "date-time" }),
  validity_days: ValidityDays,
  validation_method: ValidationMethod,
  certificate_authority: CertificateAuthority,
  cloudflare_branding: Type.Optional(
    Type.Boolean({ description: "Stored and answered, but has no effect." }),
  ),
  validation_records: Type.Optional(
    Type.Array(Type.Object({ status: Type.String(), txt_name: Type.String(), txt_value: Type.String() })),
  ),
  validation_errors: Type.Optional(
    Type.Array(Type.Object({ message: Type.String() }), {
      description: "Why the last attempt to issue its certificates failed.",
    }),
  ),
});
export type CertificatePack = Static<typeof CertificatePack>;

const StatusFilter = OneOf(["all", ...packStatuses], {
  description: "`all`, or one status; without it only packs that are active.",
});
export const ListCertificatePacksQuery = Type.Object({
  status: Type.Optional(StatusFilter),
  ssl_status: Type.Optional(StatusFilter),
  deploy: Type.Optional(
    OneOf(["staging", "production"], {
      description: "Where the packs serve. There is no staging: it lists none.",
    }),
  ),
});
export type ListCertificatePacksQuery = Static<typeof ListCertificatePacksQuery>;

const Hosts = Type.Array(Type.String({ maxLength: 1024 }), {
  minItems: 1,
  maxItems: 50,
  description: "Names within the zone, including the zone's own; `*.` in front stands for one label.",
});
const Branding = Type.Optional(
  Type.Union([Type.Boolean(), Type.Null()], { description: "Stored and answered, but has no effect." }),
);

export const OrderCertificatePackBody = Type.Object({
  type: Type.Literal("advanced"),
  hosts: Hosts,
  validation_method: ValidationMethod,
  validity_days: ValidityDays,
  certificate_authority: CertificateAuthority,
  cloudflare_branding: Branding,
});

/** The body of orders before 2021. */
export const CreateCertificatePackBody = Type.Object({
  type: Type.Optional(
    OneOf(["advanced", "dedicated_custom"], {
      description: "`dedicated_custom` is the older name of `advanced`.",
    }),
  ),
  hosts: Hosts,
  validation_method: Type.Optional(ValidationMethod),
  validity_days: Type.Optional(ValidityDays),
  certificate_authority: Type.Optional(CertificateAuthority),
  cloudflare_branding: Branding,
});
export type CreateCertificatePackBody = Static<typeof CreateCertificatePackBody>;

/** Clients send no body to restart a validation. */
export const EditCertificatePackBody = Type.Unsafe<{ cloudflare_branding?: boolean | null } | undefined>({
  properties: { cloudflare_branding: Branding },
});

export const CertificatePackId = Type.Object({ id: Type.String({ format: "uuid" }) });

export const CertificatePackQuota = Type.Object({
  advanced: Type.Object({ allocated: Type.Integer(), used: Type.Integer() }),
});
export type CertificatePackQuota = Static<typeof CertificatePackQuota>;

export const CertificateVerification = Type.Object({
  certificate_status: OneOf(["initializing", "authorizing", "issuing", "active", "expired", "timing_out"], {
    description: "The status of the pack's certificates.",
  }),
  brand_check: Type.Literal(false),
  cert_pack_uuid: Type.String({ format: "uuid" }),
  signature: Type.Optional(Type.String()),
  validation_method: ValidationMethod,
  verification_status: Type.Boolean({ description: "Whether control of the hosts was proven." }),
});
export type CertificateVerification = Static<typeof CertificateVerification>;

/** The requested validation method of a pack, and its status. */
export const EditedVerification = Type.Object({
  status: OneOf(packStatuses, { description: "How far the pack is." }),
  validation_method: ValidationMethod,
});

export const EditVerificationBody = Type.Object({ validation_method: Type.Optional(ValidationMethod) });

export const UniversalSettings = Type.Object({
  enabled: Type.Boolean({
    description: "Whether the zone has a universal certificate pack while it is active.",
  }),
});
export const EditUniversalSettingsBody = Type.Partial(UniversalSettings);

const TotalTlsAuthority = OneOf(["google", "lets_encrypt", "ssl_com"], {
  description:
    "The authority of the packs that are ordered from now on, as that of an order; `google` where none was chosen, which null makes of one that was.",
});
const TotalTlsValidity = Type.Literal(90, { description: "Days for which each certificate is valid." });

export const TotalTls = Type.Object({
  enabled: Type.Boolean({
    description:
      "Whether each name with a proxied record that no pack of the zone covers gets a pack of its own.",
  }),
  certificate_authority: Type.Optional(TotalTlsAuthority),
  validity_days: TotalTlsValidity,
  validity_period: Type.Literal(90, { description: "The newer name of `validity_days`." }),
});
export type TotalTls = Static<typeof TotalTls>;

export const EditTotalTlsBody = Type.Object({
  enabled: Type.Boolean(),
  certificate_authority: OptionalNullable(TotalTlsAuthority),
});
