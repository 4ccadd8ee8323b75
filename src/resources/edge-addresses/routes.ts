import type { Route } from "../../http/route.ts";
import { openRoute } from "../../http/routes-without-caller.ts";
import { listEdgeAddresses } from "./edge-addresses.ts";
import { EdgeAddresses } from "./schema.ts";

export function edgeAddressRoutes(ranges: readonly string[]): Route[] {
  const result = listEdgeAddresses(ranges);
  return [
    openRoute({
      operation: "listEdgeAddresses",
      summary: "List the address ranges of the edge",
      path: "/ips",
      result: EdgeAddresses,
      handle: async () => ({ result }),
    }),
  ];
}
