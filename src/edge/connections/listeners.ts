import { constants } from "node:crypto";
import { createServer, ServerResponse, type IncomingMessage, type Server } from "node:http";
import {
  createSecureServer,
  Http2ServerResponse,
  type Http2SecureServer,
  type Http2ServerRequest,
  type SecureServerOptions,
} from "node:http2";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { TLSSocket } from "node:tls";

import { closeInTime, endWithAnswer } from "../../wire/closing.ts";
import { ConnectionPool, type PooledConnection, type PoolLimits } from "../../wire/connection-pool.ts";
import { handshakeResponse } from "../../wire/handshake.ts";
import { listen, stopListening, type ListeningAddress } from "../../wire/listening.ts";
import { answerInTurn } from "../../wire/pipelining.ts";
import { isClosing, type Visit } from "../request/exchange.ts";
import { headerBytesMax, headerOverhead } from "../request/visitor-request.ts";
import type { EdgeZones } from "../zones/edge-zone.ts";
import { readHost } from "../zones/hosts.ts";
import type { TlsContexts } from "./tls-contexts.ts";

interface ListenerOptions {
  readonly zones: EdgeZones;
  readonly contexts: TlsContexts;
  /** By which sessions are resumed. */
  readonly ticketKeys: Buffer;
  readonly connections: VisitorConnections;
  readonly serve: (visit: Visit, isSecure: boolean) => void;
  /** Called for a key that cannot be decrypted, or a certificate that cannot be parsed. */
  readonly onCertificateError: (name: string, error: unknown) => void;
}

export interface Listener {
  readonly address: ListeningAddress;
  /** Stops listening; requests in flight have `graceMs` to finish. */
  readonly close: (graceMs: number) => Promise<void>;
}

const headersMs = 60_000;
const keepAliveMs = 400_000;
/** Time for a whole request: large uploads over slow lines take long. */
const requestMs = 3_600_000;
const streamsMax = 128;

const limits = {
  maxHeaderSize: headerBytesMax,
  headersTimeout: headersMs,
  keepAliveTimeout: keepAliveMs,
  requestTimeout: requestMs,
};

/**
 * Whether a request asks for a WebSocket: by GET (RFC 6455 section 4.1), and without a body, which Node would
 * not read.
 */
export function asksForWebSocket({ method, headers }: IncomingMessage): boolean {
  const hasBody = headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
  return method === "GET" && !hasBody && headers.upgrade?.trim().toLowerCase() === "websocket";
}

/** Other requests for an upgrade are answered without one. */
const upgrades = { shouldUpgradeCallback: asksForWebSocket };

/** Listens for HTTP/1.1. */
export async function listenForHttp(address: ListeningAddress, options: ListenerOptions): Promise<Listener> {
  const server = createServer({ ...limits, ...upgrades });
  return startListener(server, address, takeRequests(server, options, false));
}

/** Listens for HTTP/1.1 and HTTP/2 over TLS, with the certificate of the zone that a visitor names. */
export async function listenForHttps(address: ListeningAddress, options: ListenerOptions): Promise<Listener> {
  const { zones, contexts, ticketKeys, onCertificateError } = options;
  const secure: SecureServerOptions = {
    ...limits,
    allowHTTP1: true,
    ...upgrades,
    minVersion: "TLSv1.2",
    // Without a certificate for the name, the handshake ends with an alert: there is no default certificate.
    SNICallback: (servername, callback) => {
      const name = servername.toLowerCase();
      const present = (): void => {
        try {
          const zone = zones.enclosing(name);
          callback(null, zone && contexts.of(zone, name));
        } catch (error) {
          onCertificateError(name, error);
          callback(null);
        }
      };
      const reading = readHost(zones, name);
      if (reading === undefined) present();
      else void reading.then(present);
    },
    ALPNCallback: ({ servername, protocols }) => {
      // `false`, against its type, where the visitor names no server.
      const name = (servername || "").toLowerCase();
      const hasHttp2 = zones.enclosing(name)?.settings.hasHttp2 === true;
      return (hasHttp2 ? ["h2", "http/1.1"] : ["http/1.1"]).find((protocol) => protocols.includes(protocol));
    },
    ticketKeys,
    // Node.js would derive it from the arguments of the process, which a thread has others of.
    sessionIdContext: "zoneward",
    // A visitor could make the server renegotiate without end.
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
    settings: { maxConcurrentStreams: streamsMax, maxHeaderListSize: headerBytesMax },
    // The size permits no more of them: browsers send each cookie as a header of its own.
    maxHeaderListPairs: headerBytesMax / headerOverhead,
    // Real clients send white space around values. Node.js would drop such headers; they are trimmed instead.
    strictFieldWhitespaceValidation: false,
    maxSessionInvalidFrames: 100,
  };
  const server = createSecureServer(secure);
  server.on("secureConnection", (socket: TLSSocket) => {
    const name = typeof socket.servername === "string" ? socket.servername.toLowerCase() : "";
    const least = zones.enclosing(name)?.settings.minTlsVersion;
    // Node reports the version only after the handshake.
    if (least === "TLSv1.3" && socket.getProtocol() !== least) socket.destroy();
  });
  // Failed handshakes are errors of the visitor, and are not logged.
  server.on("tlsClientError", (_error, socket) => socket.destroy());
  server.on("sessionError", () => undefined);
  return startListener(server, address, takeRequests(server, options, true));
}

type AnyServer = Server | Http2SecureServer;

/** Returns a function that closes connections that never carried a request. */
function takeRequests(
  server: AnyServer,
  { serve, connections }: ListenerOptions,
  isSecure: boolean,
): () => void {
  const events = server as Server;
  const onRequest = (
    request: IncomingMessage | Http2ServerRequest,
    response: ServerResponse | Http2ServerResponse,
  ): void => {
    // The last one of its connection while the listener closes.
    if (!events.listening && response instanceof ServerResponse) response.shouldKeepAlive = false;
    serve({ request, response, upgrade: undefined }, isSecure);
  };
  const closeUnused = connections.watch(events);
  events.on("request", onRequest);
  // The listener decides when a visitor is told to send its body.
  events.on("checkContinue", onRequest);
  // An upgrade can be answered like any request, and its connection ends with that.
  events.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) =>
    serve({ request, response: handshakeResponse(request, socket), upgrade: { socket, head } }, isSecure),
  );
  // In HTTP/2, CONNECT is a stream like any other, and Node hands over its response.
  events.on("connect", (request: IncomingMessage, answering: Duplex | Http2ServerResponse) => {
    if (answering instanceof Http2ServerResponse) onRequest(request, answering);
    else refuse(answering, "405 Method Not Allowed");
  });
  events.on("clientError", (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (error.code === "ECONNRESET" || !socket.writable) socket.destroy();
    // The response that was already sent still has to reach the visitor.
    else if (isClosing(socket)) socket.end();
    else refuse(socket, statuses[error.code ?? ""] ?? "400 Bad Request");
  });
  answerInTurn(events);
  return closeUnused;
}

const statuses: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
};

function refuse(socket: Duplex, status: string): void {
  socket.on("error", () => socket.destroy());
  endWithAnswer(
    socket as Socket,
    `HTTP/1.1 ${status}\r\nserver: zoneward\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`,
  );
}

/** Listens. Throws what listening throws. */
export async function startListener(
  server: AnyServer,
  address: ListeningAddress,
  closeUnused: () => void = () => undefined,
): Promise<Listener> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  return {
    address: await listen(server, address),
    close: (graceMs) => {
      const closeAll = (): void => {
        for (const socket of sockets) socket.destroy();
      };
      return closeInTime(server as Server, () => stopListening(server), { closeUnused, closeAll, graceMs });
    },
  };
}

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

  /**
   * Must be called before the server listens. Returns a function that closes connections that never carried a
   * request.
   */
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
    const begin = (connection: VisitorConnection | undefined): void => {
      if (connection === undefined) return;
      connection.requests += 1;
      connection.isUsed = true;
    };
    const end = (connection: VisitorConnection | undefined): void => {
      if (connection === undefined) return;
      connection.requests -= 1;
      pool.update(connection);
    };
    const requestBegan = ({ socket }: { readonly socket: Socket }, response: ServerResponse): void => {
      // Found now: a response of HTTP/2 no longer knows its connection when it closes.
      const connection = connectionOf(socket);
      begin(connection);
      response.on("close", () => end(connection));
    };
    server.on("request", requestBegan);
    server.on("checkContinue", requestBegan);
    // A WebSocket lasts for as long as its connection.
    server.on("upgrade", ({ socket }) => begin(connectionOf(socket)));
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
