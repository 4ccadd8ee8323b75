import { lookup } from "node:dns/promises";
import { once } from "node:events";
import { createServer } from "node:net";

interface ListeningAddress {
  readonly host: string;
  readonly port: number;
}

/**
 * The one address that a host's name stands for: given `localhost`, Fastify would listen on more of them, and not wait
 * for their requests at the end. Throws what listening there would throw, so that a start that cannot succeed ends before
 * it has made a store, whose key nobody would ever see.
 */
export async function findFreeAddress({ host: name, port }: ListeningAddress): Promise<ListeningAddress> {
  const { address: host } = await lookup(name, { order: "ipv4first" });
  const attempt = createServer().listen({ host, port });
  await once(attempt, "listening");
  attempt.close();
  await once(attempt, "close");
  return { host, port };
}
