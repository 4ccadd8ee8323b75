import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { Server as TlsServer } from "node:tls";

import { Link, LinkedList } from "../core/linked-list.ts";
import { clientNetwork } from "../core/net/client-network.ts";
import { isLoopback, type ClientAddresses } from "./client-address.ts";
import { closeInTime, hasUnreadBody } from "./closing.ts";
import { ConnectionPool, type PooledConnection, type PoolLimits } from "./connection-pool.ts";

interface ConnectionOptions extends PoolLimits {
  /** The client whose limit a connection from an address counts towards; undefined for none. */
  readonly clientOf: (address: string) => string | undefined;
  /** Milliseconds in which a body must be complete while its caller is unknown. */
  readonly anonymousBodyMsMax: number;
}

/** Limits connections, so that idle ones do not keep others out. */
interface Connections {
  /**
   * Watches the connections of a server. Must be called before it listens, and after the listeners of requests were
   * added. Returns a function that runs a `close` of the server, within seconds (`closeInTime`).
   */
  readonly watch: (server: Server) => (close: () => Promise<void>) => Promise<void>;
  /** Must be called for each request with a known caller: its connection is not closed to make room for others. */
  readonly admit: (request: IncomingMessage) => void;
}

/** Milliseconds that requests have to finish when the server closes. */
const graceMs = 5_000;
/** Number of checks of an incomplete body within its time. */
const looksPerBody = 10;

/**
 * Above a limit, a new connection closes another one: one without a request, or one with a single request
 * whose caller is unknown and whose body is incomplete. If there is none, the new connection is refused.
 */
export function trackConnections(options: ConnectionOptions): Connections {
  const { clientOf, anonymousBodyMsMax } = options;
  const pool = new ConnectionPool(options);
  /** By the socket of the requests; before the TLS handshake, by the socket below. */
  const connections = new Map<Socket, Connection>();
  /** Connections with an anonymous body, the oldest first. */
  const receiving = new LinkedList<Connection>();

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
      receiving.remove(connection.link);
    });
    return connection;
  };

  const watchHandshakes = (server: Server): void => {
    // Node does not report the connection of a completed handshake, but both sockets have the same peer.
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
    receiving.remove(connection.link);
    pool.update(connection);
  };

  // One function for all requests: a closure for each would survive until the next full collection.
  const requestEnded = function (this: ServerResponse): void {
    const connection = connections.get(this.req.socket);
    if (connection === undefined) return;
    connection.requests -= 1;
    if (connection.anonymous?.response === this) {
      connection.anonymous = undefined;
      receiving.remove(connection.link);
    }
    pool.update(connection);
  };
  const requestBegan = (request: IncomingMessage, response: ServerResponse): void => {
    const connection = connections.get(request.socket);
    if (connection === undefined) return;
    connection.requests += 1;
    connection.isUsed = true;
    connection.anonymous = undefined;
    receiving.remove(connection.link);
    if (hasUnreadBody(request)) {
      connection.anonymous = { request, response, sinceMs: performance.now() };
      receiving.add(connection.link);
    }
    pool.update(connection);
    response.on("close", requestEnded);
  };

  const endSlowBodies = (server: Server): void => {
    const beganBefore = performance.now() - anonymousBodyMsMax;
    for (let next = receiving.first; next !== undefined; next = receiving.first) {
      const connection = next.value;
      const { anonymous, requests, socket } = connection;
      if (anonymous !== undefined && anonymous.sinceMs > beganBefore) return;
      receiving.remove(connection.link);
      if (anonymous === undefined || anonymous.request.complete) continue;
      if (requests > 1) {
        // The answer to an earlier request is being sent.
        connection.anonymous = { ...anonymous, sinceMs: performance.now() };
        receiving.add(connection.link);
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
      // From now on the connection belongs to the listener of `upgrade`.
      server.on("upgrade", ({ socket }: IncomingMessage) => {
        const connection = connections.get(socket);
        if (connection === undefined) return;
        connection.requests = Number.POSITIVE_INFINITY;
        connection.isUsed = true;
        pool.update(connection);
      });
      const slowBodies = setInterval(endSlowBodies, anonymousBodyMsMax / looksPerBody, server).unref();
      const destroy = (isWanted: (connection: Connection) => boolean): void => {
        for (const connection of connections.values()) if (isWanted(connection)) connection.destroy();
      };
      const closing = {
        closeUnused: () => destroy(({ isUsed }) => !isUsed),
        closeAll: () => destroy(() => true),
        graceMs,
      };
      return (close) => closeInTime(server, close, closing).finally(() => clearInterval(slowBodies));
    },
  };
}

class Connection implements PooledConnection {
  readonly client: string | undefined;
  socket: Socket;
  requests = 0;
  /** Whether it ever had a request. */
  isUsed = false;
  /** Its place among those with an anonymous body. */
  readonly link = new Link<Connection>(this);
  /** The last request while its caller is unknown. */
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
 * The client of a connection: its address, or the /64 of an IPv6 address. Undefined for loopback and trusted proxies,
 * which connect for many clients.
 */
export function connectionClient({
  isTrusted,
}: Pick<ClientAddresses, "isTrusted">): (address: string) => string | undefined {
  return (address) => (isLoopback(address) || isTrusted(address) ? undefined : clientNetwork(address));
}
