import { partyOf } from "../core/policy/caller.ts";
import { AppError, permissionDenied } from "../core/error.ts";
import { isAllowedOnAnyZone } from "../core/policy/evaluate.ts";
import { zone } from "../core/policy/permission-groups.ts";
import { createGateway, type Gateway, type GatewayOptions } from "../gateway/gateway.ts";
import { withBuiltInNetworks } from "../gateway/chain/networks.ts";
import type { Metrics } from "../wire/metrics.ts";
import type { createAuthenticator } from "../resources/authentication/authentication.ts";
import { isLoopbackHost, type Config } from "../config/settings.ts";
import { version } from "../process/version.ts";

type SharedOptions = "onAuthorized" | "now" | "logger" | "clientAddresses" | "isHostAllowed" | "keepUnread";

interface GatewayContext extends Pick<GatewayOptions, SharedOptions> {
  readonly authenticate: ReturnType<typeof createAuthenticator>["authenticate"];
  /** Turns a failure of the store that may pass into its public error. */
  readonly asUnavailable: (error: unknown) => AppError | undefined;
  readonly metrics: Metrics;
}

/** The JSON-RPC gateway as the settings describe it (docs/decisions/0026-gateway-authentication.md: who may call). */
export function openGateway(
  config: Config,
  { authenticate, asUnavailable, metrics, ...shared }: GatewayContext,
): Gateway {
  const isOpen =
    config.gateway_auth === "auto" ? isLoopbackHost(config.host) : config.gateway_auth === "none";
  return createGateway({
    ...shared,
    networks: withBuiltInNetworks(config.gateway_networks),
    authorize: isOpen
      ? undefined
      : async (credentials, address) => {
          const identity = await authenticate(credentials, address).catch((error: unknown) => {
            throw asUnavailable(error) ?? error;
          });
          if (identity instanceof AppError) throw identity;
          const { grants, accountIds } = identity;
          if (isAllowedOnAnyZone(grants, zone("Web3 Hostnames Read"), accountIds)) return partyOf(identity);
          throw permissionDenied();
        },
    refusalStatus: config.gateway_method_refusal === "403" ? 403 : 200,
    limits: {
      bodyBytesMax: config.gateway_body_bytes_max,
      responseBytesMax: config.gateway_response_bytes_max,
      batchCallsMax: config.gateway_batch_calls_max,
    },
    cacheBytesMax: config.gateway_cache_bytes_max,
    callsPerMinute: config.gateway_rate_limit,
    corsOrigins: config.gateway_cors_origins,
    // On other addresses, clients that need no credentials can connect without a browser anyway.
    isHostAllowed: isLoopbackHost(config.host) ? shared.isHostAllowed : () => true,
    dataDirectory: config.ephemeral ? undefined : config.data,
    version: version(),
    register: metrics.register,
  });
}
