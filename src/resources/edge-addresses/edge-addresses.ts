import { createHash } from "node:crypto";

/** `GET /ips`: the ranges of the setting `edge_addresses`, by family. */
export function listEdgeAddresses(ranges: readonly string[]) {
  return {
    ipv4_cidrs: ranges.filter((range) => !range.includes(":")),
    ipv6_cidrs: ranges.filter((range) => range.includes(":")),
    etag: createHash("md5").update(ranges.join("\n")).digest("hex"),
  };
}
