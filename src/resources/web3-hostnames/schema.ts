import { Type, type Static } from "@sinclair/typebox";

const Target = Type.Unsafe<"ethereum" | "ipfs" | "ipfs_universal_path">(
  Type.Union([Type.Literal("ethereum"), Type.Literal("ipfs"), Type.Literal("ipfs_universal_path")], {
    description: "The gateway that the name stands for.",
  }),
);
const Description = Type.String({ maxLength: 500 });
const DnsLink = Type.String({
  maxLength: 500,
  description: "What `ipfs` serves at the name, `/ipfs/…` or `/ipns/…`; the other targets do not use it.",
});

/** A name of a zone that stands for a gateway (wire contract 13). */
export const Web3Hostname = Type.Object({
  id: Type.String({ description: "Identifier of the hostname, 32 hexadecimal characters." }),
  name: Type.String(),
  description: Description,
  status: Type.Unsafe<"active" | "pending">(
    Type.Union([Type.Literal("active"), Type.Literal("pending")], {
      description: "`active` while the zone is, `pending` otherwise.",
    }),
  ),
  target: Target,
  dnslink: DnsLink,
  created_on: Type.String({ format: "date-time" }),
  modified_on: Type.String({ format: "date-time" }),
});
export type Web3Hostname = Static<typeof Web3Hostname>;

export const CreateWeb3HostnameBody = Type.Object({
  name: Type.String({ maxLength: 255, description: "The zone's name or one below it." }),
  target: Target,
  description: Type.Optional(Description),
  dnslink: Type.Optional(DnsLink),
});
export type CreateWeb3HostnameBody = Static<typeof CreateWeb3HostnameBody>;

export const EditWeb3HostnameBody = Type.Object({
  description: Type.Optional(Description),
  dnslink: Type.Optional(DnsLink),
});
export type EditWeb3HostnameBody = Static<typeof EditWeb3HostnameBody>;

export const Web3HostnameId = Type.Object({ id: Type.String() });
