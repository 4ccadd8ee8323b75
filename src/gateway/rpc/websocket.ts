import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

import type { Logger } from "pino";
import { WebSocketServer, type WebSocket } from "ws";

import { headersSetOn, release } from "../../wire/handshake.ts";
import type { Subscriptions } from "../subscriptions/subscriptions.ts";
import { allowsOrigin, checkHost, networkOf, type EndpointOptions } from "./endpoint.ts";
import { RpcError, rpcErrors } from "./errors.ts";
import { errorResponse } from "./json-rpc.ts";
import { checkAlive, goingAway, serveConnection, type WatchWebSockets } from "./websocket-connection.ts";

export interface WebSocketOptions extends EndpointOptions {
  readonly subscriptionsOf: (network: string) => Subscriptions;
  /** Whether a network permits `eth_subscribe`. */
  readonly maySubscribe: (network: string) => boolean;
  readonly logger: Logger;
}

/** As the event `upgrade` of a server has them. */
interface Upgrade {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly connection: Duplex;
  readonly head: Buffer;
}

export interface WebSocketEndpoint {
  /** Takes over a connection whose client asked for a WebSocket, or refuses. */
  readonly upgrade: (asked: Upgrade, watch: Pick<WatchWebSockets, "respond" | "push">) => Promise<void>;
  readonly close: () => Promise<void>;
}

const pingMs = 30_000;

/** Serves the same calls as the endpoint over WebSockets, and `eth_subscribe`. */
export function createWebSocketEndpoint(options: WebSocketOptions): WebSocketEndpoint {
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: options.limits.bodyBytesMax,
    perMessageDeflate: false,
  });
  const pings = setInterval(() => server.clients.forEach(checkAlive), pingMs).unref();

  return {
    async upgrade({ request, response, connection, head }, { respond, push }) {
      try {
        checkHost(request, options.isHostAllowed);
        checkOrigin(request, options.corsOrigins);
        const network = networkOf(request, options.prefix);
        const authorize = async () => {
          await options.authorize(request);
          return options.find(network);
        };
        await authorize();
        const complete = (lines: string[]): void => {
          lines.push(...headersSetOn(response).map(([name, value]) => `${name}: ${value}`));
          release(response, connection);
        };
        const refuse = ({ message }: Error): void =>
          refuseUpgrade(response, rpcErrors.invalidHandshake(message));
        server.once("headers", complete);
        server.once("wsClientError", refuse);
        server.handleUpgrade(request, connection, head, (socket) =>
          serveConnection(socket, {
            ...options,
            request,
            respond,
            push,
            authorize,
            client: () => options.clientOf(request),
            party: () => options.partyOf(request),
            subscriptions: options.subscriptionsOf(network),
            maySubscribe: options.maySubscribe(network),
            connection,
          }),
        );
        server.off("headers", complete);
        server.off("wsClientError", refuse);
      } catch (error) {
        if (!(error instanceof RpcError)) throw error;
        refuseUpgrade(response, error);
      }
    },
    async close() {
      clearInterval(pings);
      await Promise.all([...server.clients].map(closeSocket));
      server.close();
    },
  };
}

const closeMsMax = 1_000;

function closeSocket(socket: WebSocket): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => socket.terminate(), closeMsMax);
    socket.once("close", () => {
      clearTimeout(timer);
      resolve();
    });
    socket.close(goingAway, "the server ends");
  });
}

/** Browsers let every page open a WebSocket to any server, and leave it to the server to check the origin. */
function checkOrigin({ headers }: IncomingMessage, allowed: readonly string[]): void {
  const { origin, host } = headers;
  if (origin === undefined || allowsOrigin(origin, allowed)) return;
  if (URL.canParse(origin) && new URL(origin).host === host) return;
  throw rpcErrors.originNotAllowed;
}

function refuseUpgrade(response: ServerResponse, { status, text, headers }: RpcError): void {
  const body = errorResponse("null", text);
  const length = Buffer.byteLength(body);
  response.writeHead(status, { "content-type": "application/json", "content-length": length, ...headers });
  response.end(body);
}
