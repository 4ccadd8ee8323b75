import { Type } from "@sinclair/typebox";

export const ListEdgeAddressesQuery = Type.Object({
  networks: Type.Optional(
    Type.String({
      description: "`jdcloud` adds the ranges of the edge in mainland China; nothing else is known.",
    }),
  ),
});

/** Address ranges from which the edge reaches origins. */
export const EdgeAddresses = Type.Object({
  ipv4_cidrs: Type.Array(Type.String({ description: "IPv4 range in CIDR notation." })),
  ipv6_cidrs: Type.Array(Type.String({ description: "IPv6 range in CIDR notation." })),
  jdcloud_cidrs: Type.Optional(
    Type.Array(Type.String({ description: "IPv4 or IPv6 range in CIDR notation." }), {
      description: "Only with `networks=jdcloud`.",
    }),
  ),
  etag: Type.String({ description: "Changes when the ranges do." }),
});
