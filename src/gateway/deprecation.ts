import { codes, RpcError } from "./rpc/json-rpc.ts";
import type { NetworkSettings } from "./networks.ts";

/** What there is to say about the end of a network. */
export interface Deprecation {
  /** On every answer: `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and the successor's `Link` (RFC 5829). */
  readonly headers: Readonly<Record<string, string>>;
  /** The answer to every call once it has ended. */
  readonly refusal: RpcError | undefined;
}

const none: Deprecation = { headers: {}, refusal: undefined };

/** `prefix` is the path that networks lie below. A network ends at midnight UTC of its day. */
export function deprecationOf(network: NetworkSettings, prefix: string, now: () => Date): Deprecation {
  const { name, deprecatedOn, successor } = network;
  if (deprecatedOn === undefined) return none;
  const end = new Date(`${deprecatedOn}T00:00:00Z`);
  const headers = {
    deprecation: `@${end.getTime() / 1000}`,
    sunset: end.toUTCString(),
    ...(successor !== undefined && { link: `<${prefix}${successor}>; rel="successor-version"` }),
  };
  if (end > now()) return { headers, refusal: undefined };
  // It names the successor and never leads there by itself, as that is another chain.
  const advice = successor === undefined ? "" : `; use ${prefix}${successor} instead, the body is unchanged`;
  const refusal = new RpcError(
    codes.notSupported,
    `The network ${name} was retired on ${deprecatedOn}${advice}`,
    {
      status: 410,
      data: { network: name, deprecated_on: deprecatedOn, successor },
      headers,
    },
  );
  return { headers, refusal };
}
