import { Type, type Static } from "@sinclair/typebox";

import { Nullable, OneOf, OptionalNullable } from "../../operation/schema.ts";

const text = (description: string) => Nullable(Type.String({ description }));
const number = (description: string) => Nullable(Type.Integer({ description }));

const switches = {
  dnssec_multi_signer: Type.Boolean({
    description:
      "Others sign the zone too, each by itself: DNSKEY records at the apex of the zone are published beside its own keys, and its transfers are not signed.",
  }),
  dnssec_presigned: Type.Boolean({
    description:
      "A zone of the type `secondary` is served with the signatures and the proofs of its primary, which have to be transferred; it is not signed here.",
  }),
  dnssec_use_nsec3: Type.Boolean({
    description:
      "What does not exist is proved by NSEC3 records instead of NSEC records. A presigned zone has what its primary made.",
  }),
};

export const Dnssec = Type.Object({
  status: OneOf(["active", "pending", "disabled", "pending-disabled", "error"], {
    description:
      "`pending` until the parent has the DS record, `pending-disabled` while it still has it, `error` where it has others only.",
  }),
  flags: number("Of the key that the DS record is of."),
  algorithm: text("Number of its algorithm."),
  key_type: text("Name of its algorithm."),
  digest_type: text("Number of the digest."),
  digest_algorithm: text("Name of the digest."),
  digest: text("Upper-case hexadecimal."),
  ds: text("The DS record that the parent has to have."),
  key_tag: number("Tag of the key."),
  public_key: text("Base64."),
  modified_on: Nullable(Type.String({ format: "date-time" })),
  dnssec_multi_signer: Type.Optional(switches.dnssec_multi_signer),
  dnssec_presigned: Type.Optional(switches.dnssec_presigned),
  dnssec_use_nsec3: Type.Optional(switches.dnssec_use_nsec3),
});
export type Dnssec = Static<typeof Dnssec>;

/** A switch that is null is off and no longer answered; one that is left out stays. */
export const DnssecBody = Type.Object({
  status: Type.Optional(OneOf(["active", "disabled"])),
  dnssec_multi_signer: OptionalNullable(switches.dnssec_multi_signer),
  dnssec_presigned: OptionalNullable(switches.dnssec_presigned),
  dnssec_use_nsec3: OptionalNullable(switches.dnssec_use_nsec3),
});
export type DnssecBody = Static<typeof DnssecBody>;

export const ZoneSigningKey = Type.Object({
  DNSKEY: Type.Object({
    Algorithm: Type.Integer(),
    Flags: Type.Integer(),
    Hdr: Type.Object({
      Class: Type.Integer(),
      Name: Type.String(),
      Rdlength: Type.Integer(),
      Rrtype: Type.Integer(),
      Ttl: Type.Integer(),
    }),
    Protocol: Type.Integer(),
    PublicKey: Type.String({ description: "Base64." }),
  }),
  Location: Type.String(),
  Name: Type.String(),
  Tag: Type.String(),
});
export type ZoneSigningKey = Static<typeof ZoneSigningKey>;
