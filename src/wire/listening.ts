import { lookup } from "node:dns/promises";
import { once } from "node:events";
import type { IncomingMessage, Server as HttpServer, ServerResponse } from "node:http";
import { createServer, type AddressInfo, type Server } from "node:net";

export interface ListeningAddress {
  readonly host: string;
  readonly port: number;
  /** Other threads listen there too, and the system divides the connections among them (`SO_REUSEPORT`). */
  readonly isShared?: boolean;
}

/**
 * Resolves a host name to one address: given `localhost`, Node would listen on one of its addresses by chance. Throws
 * what listening would throw, so that a start fails before it creates a store and shows its key.
 */
export async function findFreeAddress({ host: name, port }: ListeningAddress): Promise<ListeningAddress> {
  const { address: host } = await lookup(name, { order: "ipv4first" });
  const attempt = createServer();
  await listen(attempt, { host, port });
  await stopListening(attempt);
  return { host, port };
}

/** Listens. Throws what listening throws. */
export async function listen(
  server: Server,
  { host, port, isShared = false }: ListeningAddress,
): Promise<ListeningAddress> {
  server.listen({ host, port, reusePort: isShared });
  await once(server, "listening");
  const address = server.address() as AddressInfo;
  return { host: address.address, port: address.port };
}

/** Stops listening. Resolves when the last connection has ended; at once for a server that does not listen. */
export async function stopListening(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, "close");
  server.close();
  await closed;
}

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/** Puts a step before the listeners of requests that a server has by now. It lets them answer, at once or later. */
export function putBefore(
  server: HttpServer,
  step: (request: IncomingMessage, response: ServerResponse, proceed: Listener) => void,
): void {
  const listeners = server.listeners("request") as Listener[];
  const proceed: Listener = (request, response) => {
    for (const listener of listeners) listener.call(server, request, response);
  };
  server.removeAllListeners("request");
  server.on("request", (request, response) => step(request, response, proceed));
}

/** The origin of an address, `http://127.0.0.1:8787`. */
export function originOf({ host, port }: ListeningAddress, scheme: "http" | "https" = "http"): string {
  return `${scheme}://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
