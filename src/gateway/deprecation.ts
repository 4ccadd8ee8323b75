import type { NetworkSettings } from "./networks.ts";
import { rpcErrors, type RpcError } from "./rpc/errors.ts";

export interface Deprecation {
  /** For every answer: `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and the `Link` to the successor (RFC 5829). */
  readonly headers: Readonly<Record<string, string>>;
  /** The error of every call once the network is retired. */
  readonly refusal: RpcError | undefined;
}

/** The deprecation of a network below the path `prefix`. It is retired at midnight UTC of the day that it names. */
export function deprecationOf(network: NetworkSettings, prefix: string, now: () => Date): Deprecation {
  const { name, deprecatedOn, successor } = network;
  if (deprecatedOn === undefined) return { headers: {}, refusal: undefined };
  const end = new Date(`${deprecatedOn}T00:00:00Z`);
  const successorPath = successor && prefix + successor;
  const headers = {
    deprecation: `@${end.getTime() / 1000}`,
    sunset: end.toUTCString(),
    ...(successorPath && { link: `<${successorPath}>; rel="successor-version"` }),
  };
  if (end > now()) return { headers, refusal: undefined };
  // Without a redirect: the successor is another chain.
  const advice = successorPath ? `; use ${successorPath} instead, the body is unchanged` : "";
  const refusal = rpcErrors.retiredNetwork(
    `The network ${name} was retired on ${deprecatedOn}${advice}`,
    { network: name, deprecated_on: deprecatedOn, successor },
    headers,
  );
  return { headers, refusal };
}
