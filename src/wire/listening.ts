import { lookup } from "node:dns/promises";
import { once } from "node:events";
import { createServer } from "node:net";

interface ListeningAddress {
  readonly host: string;
  readonly port: number;
}

/**
 * Resolves a host name to one address: given `localhost`, Fastify would listen on several, and not wait for their requests
 * when it closes. Throws what listening would throw, so that a start fails before it creates a store and shows its key.
 */
export async function findFreeAddress({ host: name, port }: ListeningAddress): Promise<ListeningAddress> {
  const { address: host } = await lookup(name, { order: "ipv4first" });
  const attempt = createServer().listen({ host, port });
  await once(attempt, "listening");
  attempt.close();
  await once(attempt, "close");
  return { host, port };
}
