import type { Server, ServerResponse, IncomingMessage } from "node:http";
import { Server as TlsServer } from "node:tls";
import type { Socket } from "node:net";

const sweepMs = 50;

/**
 * Keeps account of the connections of `server`, so that its close waits for requests and for nothing else, and so that
 * no more than `connectionsMax` are open: one more ends the one that has been without a request for the longest time, or
 * is refused where all of them have one.
 * Node itself would wait for a connection that never sent a request, and for one that goes idle after its answer.
 * To be called before the server listens; the answer runs `close` and ends such connections meanwhile.
 */
export function trackConnections(
  server: Server,
  connectionsMax: number,
): (close: () => Promise<void>) => Promise<void> {
  /** All connections, with the number of their requests that are under way. */
  const requests = new Map<Socket, number>();
  /** Those without any, the one that is so for the longest time first. */
  const idle = new Set<Socket>();
  /** Those that never sent one. */
  const unused = new Set<Socket>();

  const forget = (socket: Socket): void => {
    requests.delete(socket);
    idle.delete(socket);
    unused.delete(socket);
  };
  server.on(server instanceof TlsServer ? "secureConnection" : "connection", (socket: Socket) => {
    if (requests.size >= connectionsMax) {
      const [longest = socket] = idle;
      longest.destroy();
      forget(longest);
      if (longest === socket) return;
    }
    requests.set(socket, 0);
    idle.add(socket);
    unused.add(socket);
    socket.once("close", () => forget(socket));
  });
  // One for all requests: with a closure for each, a tenth of what they allocate outlived them until the next full collection.
  const requestEnded = function (this: ServerResponse): void {
    const { socket } = this.req;
    const left = (requests.get(socket) ?? 0) - 1;
    if (left < 0) return;
    requests.set(socket, left);
    if (left === 0) idle.add(socket);
  };
  server.on("request", ({ socket }: IncomingMessage, response: ServerResponse) => {
    requests.set(socket, (requests.get(socket) ?? 0) + 1);
    idle.delete(socket);
    unused.delete(socket);
    response.on("close", requestEnded);
  });
  // From here on it speaks another protocol, and is its listener's.
  server.on("upgrade", ({ socket }: IncomingMessage) => {
    idle.delete(socket);
    unused.delete(socket);
  });

  const endIdle = (): void => {
    for (const socket of unused) socket.destroy();
    server.closeIdleConnections();
  };
  return async (close) => {
    const sweep = setInterval(endIdle, sweepMs);
    try {
      await close();
    } finally {
      clearInterval(sweep);
    }
  };
}
