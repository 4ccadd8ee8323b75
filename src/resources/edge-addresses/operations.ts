import { createHash } from "node:crypto";

import { openRead } from "../../operation/open.ts";
import { EdgeAddresses } from "./schema.ts";

/** What the operation takes. */
export interface EdgeAddressContext {
  /** Ranges in CIDR notation. */
  readonly edgeAddresses: readonly string[];
}

/** The ranges of the setting `edge_addresses`, by family. */
export const listEdgeAddresses = openRead({
  name: "listEdgeAddresses",
  summary: "List the address ranges of the edge",
  path: "/ips",
  result: EdgeAddresses,
  run: async ({ edgeAddresses }: EdgeAddressContext) => ({
    ipv4_cidrs: edgeAddresses.filter((range) => !range.includes(":")),
    ipv6_cidrs: edgeAddresses.filter((range) => range.includes(":")),
    etag: createHash("md5").update(edgeAddresses.join("\n")).digest("hex"),
  }),
});

export const edgeAddressOperations = [listEdgeAddresses] as const;
