import { Type } from "@sinclair/typebox";

/** Address ranges from which the edge reaches origins. */
export const EdgeAddresses = Type.Object({
  ipv4_cidrs: Type.Array(Type.String({ description: "IPv4 range in CIDR notation." })),
  ipv6_cidrs: Type.Array(Type.String({ description: "IPv6 range in CIDR notation." })),
  etag: Type.String({ description: "Changes when the ranges do." }),
});
