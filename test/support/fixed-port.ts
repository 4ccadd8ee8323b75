import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/** Below those that Linux and macOS give away by themselves. */
const ports = { first: 10_000, end: 32_000 } as const;
const attemptsMax = 20;

/**
 * Listens on a port that no system gives away by itself, so that it is still free, and no client's own, when a server
 * that was stopped listens there again. `listen` rejects where the port is not free.
 */
export async function onFixedPort<T>(listen: (port: number) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await listen(randomInt(ports.first, ports.end));
    } catch (error) {
      if (attempt === attemptsMax) throw error;
    }
  }
}

/** A port of loopback on which nobody listens. No other test gets it meanwhile from the system. */
export async function freePort(): Promise<number> {
  return onFixedPort(async (port) => {
    const server = createServer().listen(port, "127.0.0.1");
    await once(server, "listening");
    server.close();
    await once(server, "close");
    return port;
  });
}
