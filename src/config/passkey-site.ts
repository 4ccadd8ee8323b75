import { isIP } from "node:net";

import { isLoopbackHost, publicUrlOf, type Config } from "./settings.ts";

/**
 * The site for which browsers keep passkeys of the server. They accept only host names, and only over HTTPS
 * or at `localhost`. Undefined where passkeys cannot be used. A server on a loopback address is `localhost`
 * too.
 */
export function passkeySiteOf(
  config: Pick<Config, "public_url" | "host" | "port" | "tls" | "tls_cert">,
): { readonly name: string; readonly origin: string } | undefined {
  const url = publicUrlOf(config);
  if (config.public_url === undefined && isLoopbackHost(config.host)) url.hostname = "localhost";
  const { hostname, origin, protocol } = url;
  // The number of a free port is not known before the server listens.
  if (url.port === "0") return undefined;
  if (isIP(hostname.replaceAll(/[[\]]/g, "")) !== 0) return undefined;
  return protocol === "https:" || hostname === "localhost" ? { name: hostname, origin } : undefined;
}
