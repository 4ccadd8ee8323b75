import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

import { ConnectionPool, type PooledConnection, type PoolLimits } from "../../wire/connection-pool.ts";

interface VisitorConnectionOptions extends PoolLimits {
  /** The client whose limit a connection from an address counts towards; undefined for none. */
  readonly clientOf: (address: string) => string | undefined;
}

/**
 * Limits the connections of visitors at all listeners together. Above a limit, the connection that has been
 * idle for longest is closed; if none is idle, the new one is refused.
 */
export class VisitorConnections {
  readonly #pool: ConnectionPool;
  readonly #clientOf: VisitorConnectionOptions["clientOf"];

  constructor(options: VisitorConnectionOptions) {
    this.#pool = new ConnectionPool(options);
    this.#clientOf = options.clientOf;
  }

  /** Must be called before the server listens. Returns a function that closes connections that never carried a request. */
  watch(server: Server): () => void {
    const pool = this.#pool;
    /**
     * Keyed by peer address and port: over TLS and HTTP/2, a request has another socket than its connection.
     */
    const connections = new Map<string, VisitorConnection>();
    const bySocket = new WeakMap<Socket, VisitorConnection>();
    const connectionOf = (socket: Socket): VisitorConnection | undefined => {
      const known = bySocket.get(socket) ?? connections.get(peerOf(socket));
      if (known !== undefined) bySocket.set(socket, known);
      return known;
    };
    server.on("connection", (socket: Socket) => {
      const { remoteAddress } = socket;
      const connection = new VisitorConnection(socket, remoteAddress && this.#clientOf(remoteAddress));
      if (remoteAddress === undefined || !pool.add(connection)) {
        socket.destroy();
        return;
      }
      const peer = peerOf(socket);
      connections.set(peer, connection);
      socket.once("close", () => {
        pool.remove(connection);
        if (connections.get(peer) === connection) connections.delete(peer);
      });
    });
    const count = (connection: VisitorConnection | undefined, difference: number): void => {
      if (connection === undefined) return;
      connection.requests += difference;
      connection.isUsed = true;
      pool.update(connection);
    };
    const requestBegan = ({ socket }: { readonly socket: Socket }, response: ServerResponse): void => {
      // Found now: a response of HTTP/2 no longer knows its connection when it closes.
      const connection = connectionOf(socket);
      count(connection, 1);
      response.on("close", () => count(connection, -1));
    };
    server.on("request", requestBegan);
    server.on("checkContinue", requestBegan);
    // A WebSocket lasts for as long as its connection.
    server.on("upgrade", ({ socket }) => count(connectionOf(socket), 1));
    return () => {
      for (const connection of connections.values()) if (!connection.isUsed) connection.destroy();
    };
  }
}

class VisitorConnection implements PooledConnection {
  readonly client: string | undefined;
  readonly #socket: Socket;
  /** Requests in flight. */
  requests = 0;
  /** Whether it ever had a request. */
  isUsed = false;

  constructor(socket: Socket, client: string | undefined) {
    this.#socket = socket;
    this.client = client;
  }

  isExpendable(): boolean {
    return this.requests === 0;
  }

  destroy(): void {
    this.#socket.destroy();
  }
}

const peerOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;
