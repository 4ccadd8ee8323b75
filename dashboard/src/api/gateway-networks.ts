import type { GatewayNetwork } from "../../../src/resources/gateway-networks/schema.ts";
import type { ApiCall } from "./call.ts";

export type { GatewayNetwork };

export const listGatewayNetworks = (): ApiCall<GatewayNetwork[]> => ({
  method: "GET",
  path: "/gateway/networks",
});
