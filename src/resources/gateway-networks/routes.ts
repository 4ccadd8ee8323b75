import { Type } from "@sinclair/typebox";

import { listed } from "../../core/policy/permission.ts";
import { route, type Route } from "../../http/route.ts";
import { listGatewayNetworks, type GatewayNetworksContext } from "./gateway-networks.ts";
import { GatewayNetwork } from "./schema.ts";

export function gatewayNetworkRoutes(context: GatewayNetworksContext): Route[] {
  return [
    route({
      operation: "listGatewayNetworks",
      summary: "List the networks of the JSON-RPC gateway: upstreams, deprecations, request rates",
      method: "GET",
      path: "/gateway/networks",
      permission: listed,
      result: Type.Array(GatewayNetwork),
      handle: async ({ caller }) => ({ result: [...listGatewayNetworks(context, caller)] }),
    }),
  ];
}
