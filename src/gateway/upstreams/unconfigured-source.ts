import type { ChainSource } from "../chain-source.ts";
import type { NetworkSettings } from "../networks.ts";
import { rpcErrors } from "../rpc/errors.ts";

/** The source of a network without upstreams: it answers every call with an error that names the setting. */
export function unconfiguredSource({ name }: NetworkSettings): ChainSource {
  const refuse = (): Promise<never> => Promise.reject(rpcErrors.noUpstreamConfigured(name));
  return {
    call: refuse,
    head: refuse,
    lastHead: () => undefined,
    onReorganisation: () => undefined,
    close: () => Promise.resolve(),
  };
}
