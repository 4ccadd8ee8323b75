import { Type } from "@sinclair/typebox";
import { isAllowedOnAnyZone } from "../../core/policy/evaluate.ts";
import { zone } from "../../core/policy/permission-groups.ts";
import { collectionRead, type CollectionRead } from "../../operation/scope.ts";
import type { Context } from "../../operation/context.ts";
import { GatewayNetwork } from "./schema.ts";

export interface GatewayNetworksContext extends Context {
  /** The current state of this process's networks. */
  readonly gatewayNetworks: () => readonly GatewayNetwork[];
}

/** The list is empty for callers without the gateway's permission. */
export const listGatewayNetworks = collectionRead({
  name: "listGatewayNetworks",
  summary: "List the networks of the JSON-RPC gateway: upstreams, deprecations, request rates",
  path: "/gateway/networks",
  permission: "listed",
  result: Type.Array(GatewayNetwork),
  run: async ({ caller: { grants, accountIds }, context }: CollectionRead<GatewayNetworksContext>) =>
    isAllowedOnAnyZone(grants, zone("Web3 Hostnames Read"), accountIds) ? context.gatewayNetworks() : [],
});
