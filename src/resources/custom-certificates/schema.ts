import { Type, type Static } from "@sinclair/typebox";

import { Identifier, OneOf } from "../../operation/schema.ts";

const BundleMethod = OneOf(["ubiquitous", "optimal", "force"], {
  description: "Stored and answered, but the chain stays as it was sent.",
});
const CertificateType = OneOf(["legacy_custom", "sni_custom"], {
  description: "Whether clients without SNI get it too.",
});
const Regions = OneOf(["us", "eu", "highest_security"], { description: "Where the key may be." });
const GeoRestrictions = Type.Object(
  { label: Regions },
  { description: "Stored and answered; the key is only in the store." },
);
/** Null means none, as does the empty label of older clients. */
const SentGeoRestrictions = Type.Union([
  GeoRestrictions,
  Type.Object({ label: Type.Literal("") }),
  Type.Null(),
]);

/** An uploaded certificate. Its key is never answered. */
export const CustomCertificate = Type.Object({
  id: Type.String({ description: "Identifier of the certificate, 32 hexadecimal characters." }),
  zone_id: Type.String(),
  type: CertificateType,
  hosts: Type.Array(Type.String()),
  issuer: Type.String({ description: "Who issued it, as the certificate itself says." }),
  signature: Type.String(),
  status: OneOf(["active", "expired"], { description: "By its dates." }),
  bundle_method: BundleMethod,
  geo_restrictions: Type.Optional(GeoRestrictions),
  priority: Type.Integer({
    description: "If two certificates cover a host, the one with the higher priority is used.",
  }),
  uploaded_on: Type.String({ format: "date-time" }),
  modified_on: Type.String({ format: "date-time" }),
  expires_on: Type.String({ format: "date-time" }),
});
export type CustomCertificate = Static<typeof CustomCertificate>;

const pemLengthMax = 65_536;
const Certificate = Type.String({
  minLength: 1,
  maxLength: pemLengthMax,
  description: "PEM: the certificate, followed by those of its issuers.",
});
const PrivateKey = Type.String({
  minLength: 1,
  maxLength: pemLengthMax,
  description: "PEM, without a passphrase. Stored encrypted, and never answered.",
});

export const CreateCustomCertificateBody = Type.Object({
  certificate: Certificate,
  private_key: PrivateKey,
  type: Type.Optional(CertificateType),
  bundle_method: Type.Optional(BundleMethod),
  geo_restrictions: Type.Optional(SentGeoRestrictions),
});
export type CreateCustomCertificateBody = Static<typeof CreateCustomCertificateBody>;

export const EditCustomCertificateBody = Type.Object({
  certificate: Type.Optional(Certificate),
  private_key: Type.Optional(PrivateKey),
  bundle_method: Type.Optional(BundleMethod),
  geo_restrictions: Type.Optional(SentGeoRestrictions),
});
export type EditCustomCertificateBody = Static<typeof EditCustomCertificateBody>;

export const PrioritizeCustomCertificatesBody = Type.Object({
  certificates: Type.Array(
    Type.Object({
      id: Identifier(),
      priority: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
    }),
    { minItems: 1, maxItems: 1_000 },
  ),
});
export type PrioritizeCustomCertificatesBody = Static<typeof PrioritizeCustomCertificatesBody>;

export const ListCustomCertificatesQuery = Type.Object({
  status: Type.Optional(
    OneOf(["active", "expired", "deleted", "pending", "initializing"], {
      description: "One status; every one without it.",
    }),
  ),
});
export type ListCustomCertificatesQuery = Static<typeof ListCustomCertificatesQuery>;
