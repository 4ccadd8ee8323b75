import type { ChainSource } from "../chain-source.ts";
import { codes, RpcError } from "../rpc/json-rpc.ts";
import type { NetworkSettings } from "../networks.ts";

/** A network that nobody gave an upstream: every call is answered with what to do about it. */
export function unconfiguredSource({ name }: NetworkSettings): ChainSource {
  const refuse = (): Promise<never> =>
    Promise.reject(
      new RpcError(
        codes.unavailable,
        `No upstream is configured for ${name}; see the setting gateway_networks`,
        {
          status: 503,
          data: { network: name, setting: "gateway_networks" },
        },
      ),
    );
  return {
    call: refuse,
    head: refuse,
    lastHead: () => undefined,
    onReorganisation: () => undefined,
    close: () => Promise.resolve(),
  };
}
