import type { Server } from "node:http";
import { Server as TlsServer } from "node:tls";
import type { Socket } from "node:net";

const sweepMs = 50;

/**
 * Keeps account of the connections of `server`, so that its close waits for requests and for nothing else.
 * Node itself would wait for a connection that never sent one, and for one that goes idle after its answer.
 * To be called before the server listens; the answer runs `close` and ends such connections meanwhile.
 */
export function trackConnections(server: Server): (close: () => Promise<void>) => Promise<void> {
  const unused = new Set<Socket>();
  server.on(server instanceof TlsServer ? "secureConnection" : "connection", (socket: Socket) => {
    unused.add(socket);
    socket.once("close", () => unused.delete(socket));
  });
  server.on("request", ({ socket }) => unused.delete(socket));

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
