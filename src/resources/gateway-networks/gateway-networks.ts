import type { Caller } from "../../core/caller.ts";
import { isAllowedOnAnyZone } from "../../core/policy/any-zone.ts";
import { zone } from "../../core/policy/permission-groups.ts";
import type { GatewayNetwork } from "./schema.ts";

/** What the operation needs besides its caller. */
export interface GatewayNetworksContext {
  /** The networks of this process, as they stand. */
  readonly gatewayNetworks: () => readonly GatewayNetwork[];
}

/**
 * `GET /gateway/networks`: the networks of the gateway with their upstreams, deprecations and request rates. The list
 * is empty for callers without the gateway's permission.
 */
export function listGatewayNetworks(
  { gatewayNetworks }: GatewayNetworksContext,
  { grants, accountIds }: Pick<Caller, "grants" | "accountIds">,
): readonly GatewayNetwork[] {
  return isAllowedOnAnyZone(grants, zone("Web3 Hostnames Read"), accountIds) ? gatewayNetworks() : [];
}
