import { createHash } from "node:crypto";

import { openRead } from "../../operation/open.ts";
import { EdgeAddresses, ListEdgeAddressesQuery } from "./schema.ts";

/** Ranges in CIDR notation. */
export interface EdgeAddressContext {
  readonly edgeAddresses: readonly string[];
  readonly jdCloudAddresses: readonly string[];
}

/** The ranges of the setting `edge_addresses`, by family, and on request those of `jdcloud_addresses`. */
export const listEdgeAddresses = openRead({
  name: "listEdgeAddresses",
  summary: "List the address ranges of the edge",
  path: "/ips",
  query: ListEdgeAddressesQuery,
  result: EdgeAddresses,
  run: async ({ edgeAddresses, jdCloudAddresses }: EdgeAddressContext, { query: { networks } }) => {
    const jdCloud = networks === "jdcloud" && { jdcloud_cidrs: jdCloudAddresses };
    const ranges = jdCloud ? [...edgeAddresses, "", ...jdCloudAddresses] : edgeAddresses;
    return {
      ipv4_cidrs: edgeAddresses.filter((range) => !range.includes(":")),
      ipv6_cidrs: edgeAddresses.filter((range) => range.includes(":")),
      ...jdCloud,
      etag: createHash("md5").update(ranges.join("\n")).digest("hex"),
    };
  },
});
