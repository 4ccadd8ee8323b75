import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { Server as TlsServer } from "node:tls";

import { clientNetwork } from "../core/client-network.ts";
import { isLoopback, type ClientAddresses } from "./client-address.ts";
import { ConnectionPool, type PooledConnection, type PoolLimits } from "./connection-pool.ts";
import { hasUnreadBody } from "./lingering-close.ts";

interface ConnectionOptions extends PoolLimits {
  /** Who a connection from an address counts for; undefined for nobody. */
  readonly clientOf: (address: string) => string | undefined;
  /** Milliseconds within which a body has to be complete as long as its sender is unknown. */
  readonly anonymousBodyMsMax: number;
}

/** Keeps connections that are merely held open from keeping others out. */
export interface Connections {
  /**
   * Watches the connections of a server. To be called before it listens and after those who answer requests began to.
   * What it returns runs a `close` of the server, which then waits for requests and for nothing else: Node itself would
   * wait for a connection that never sent a request, and for one that goes idle after its answer.
   */
  readonly watch: (server: Server) => (close: () => Promise<void>) => Promise<void>;
  /** Has to be told of each request whose caller is known: its connection is not closed to make room for others. */
  readonly admit: (request: IncomingMessage) => void;
}

const closingSweepMs = 50;
/** How often an incomplete body is looked at within the time that it has. */
const looksPerBody = 10;

/**
 * A connection above a limit closes another one: one without a request, or one with a single request of an unknown sender
 * whose body is incomplete. Where there is none, it is refused.
 */
export function trackConnections(options: ConnectionOptions): Connections {
  const { clientOf, anonymousBodyMsMax } = options;
  const pool = new ConnectionPool(options);
  /** By the sockets that requests come on; before the handshake of TLS, by the sockets below. */
  const connections = new Map<Socket, Connection>();
  /** Those with an anonymous body, the one that began first in front. */
  const receiving = new Set<Connection>();

  const open = (socket: Socket): Connection | undefined => {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined) return undefined;
    const connection = new Connection(socket, clientOf(remoteAddress));
    if (!pool.add(connection)) {
      socket.destroy();
      return undefined;
    }
    connections.set(socket, connection);
    socket.once("close", () => {
      pool.remove(connection);
      connections.delete(connection.socket);
      receiving.delete(connection);
    });
    return connection;
  };

  const watchHandshakes = (server: Server): void => {
    // Node does not say which connection a handshake has completed, but both have the same other end.
    const handshakes = new Map<string, Connection>();
    server.on("connection", (socket: Socket) => {
      const connection = open(socket);
      if (connection === undefined) return;
      const peer = peerOf(socket);
      handshakes.set(peer, connection);
      socket.once("close", () => {
        if (handshakes.get(peer) === connection) handshakes.delete(peer);
      });
    });
    server.on("secureConnection", (socket: Socket) => {
      const connection = handshakes.get(peerOf(socket));
      if (connection === undefined) {
        socket.destroy();
        return;
      }
      handshakes.delete(peerOf(socket));
      connections.delete(connection.socket);
      connection.socket = socket;
      connections.set(socket, connection);
    });
  };

  const admit = (request: IncomingMessage): void => {
    const connection = connections.get(request.socket);
    if (connection?.anonymous?.request !== request) return;
    connection.anonymous = undefined;
    receiving.delete(connection);
    pool.update(connection);
  };

  // One for all requests: with a closure for each, a tenth of what they allocate outlived them until the next full collection.
  const requestEnded = function (this: ServerResponse): void {
    const connection = connections.get(this.req.socket);
    if (connection === undefined) return;
    connection.requests -= 1;
    if (connection.anonymous?.response === this) {
      connection.anonymous = undefined;
      receiving.delete(connection);
    }
    pool.update(connection);
  };
  const requestBegan = (request: IncomingMessage, response: ServerResponse): void => {
    const connection = connections.get(request.socket);
    if (connection === undefined) return;
    connection.requests += 1;
    connection.isUsed = true;
    connection.anonymous = undefined;
    receiving.delete(connection);
    if (hasUnreadBody(request)) {
      connection.anonymous = { request, response, sinceMs: performance.now() };
      receiving.add(connection);
    }
    pool.update(connection);
    response.on("close", requestEnded);
  };

  const endSlowBodies = (server: Server): void => {
    const beganBefore = performance.now() - anonymousBodyMsMax;
    for (const connection of receiving) {
      const { anonymous, requests, socket } = connection;
      if (anonymous !== undefined && anonymous.sinceMs > beganBefore) return;
      receiving.delete(connection);
      if (anonymous === undefined || anonymous.request.complete) continue;
      if (requests > 1) {
        // An answer to a request before it is under way.
        connection.anonymous = { ...anonymous, sinceMs: performance.now() };
        receiving.add(connection);
      } else if (anonymous.response.headersSent) socket.destroy();
      else server.emit("clientError", requestTimeout(), socket);
    }
  };

  return {
    admit,
    watch(server) {
      if (server instanceof TlsServer) watchHandshakes(server);
      else server.on("connection", open);
      server.on("request", requestBegan);
      // From here on it speaks another protocol, and is its listener's.
      server.on("upgrade", ({ socket }: IncomingMessage) => {
        const connection = connections.get(socket);
        if (connection === undefined) return;
        connection.requests = Number.POSITIVE_INFINITY;
        connection.isUsed = true;
        pool.update(connection);
      });
      const slowBodies = setInterval(endSlowBodies, anonymousBodyMsMax / looksPerBody, server).unref();
      return async (close) => {
        const closing = setInterval(() => {
          for (const { socket, isUsed } of connections.values()) if (!isUsed) socket.destroy();
          server.closeIdleConnections();
        }, closingSweepMs);
        try {
          await close();
        } finally {
          clearInterval(closing);
          clearInterval(slowBodies);
        }
      };
    },
  };
}

class Connection implements PooledConnection {
  readonly client: string | undefined;
  socket: Socket;
  /** Those under way. */
  requests = 0;
  /** Whether it ever had a request. */
  isUsed = false;
  /** The last request, as long as its sender is unknown, and perhaps its body incomplete. */
  anonymous:
    | { readonly request: IncomingMessage; readonly response: ServerResponse; readonly sinceMs: number }
    | undefined;

  constructor(socket: Socket, client: string | undefined) {
    this.socket = socket;
    this.client = client;
  }

  isExpendable(): boolean {
    const isReceiving = this.anonymous !== undefined && !this.anonymous.request.complete;
    return this.requests === (isReceiving ? 1 : 0);
  }

  destroy(): void {
    this.socket.destroy();
  }
}

function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

/** The error that Node itself reports for a request that takes too long. */
function requestTimeout(): Error {
  return Object.assign(new Error("the body is incomplete"), { code: "ERR_HTTP_REQUEST_TIMEOUT" });
}

/**
 * Who connections count for: their address, of IPv6 its /64. Those from loopback and from trusted proxies, which stand for
 * many clients, count for nobody.
 */
export function connectionClient({
  isTrusted,
}: Pick<ClientAddresses, "isTrusted">): (address: string) => string | undefined {
  return (address) => (isLoopback(address) || isTrusted(address) ? undefined : clientNetwork(address));
}
