import { createHash } from "node:crypto";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { join } from "node:path";
import type { Duplex } from "node:stream";

import type { Logger } from "pino";
import type { Registry } from "prom-client";

import { clientNetwork } from "../core/client-network.ts";
import { AppError } from "../core/error.ts";
import type { ClientAddresses } from "../http/client-address.ts";
import { readCredentials, type Credentials } from "../http/credentials.ts";
import type { HostCheck } from "../http/host-header.ts";
import type { KeepAccount } from "../http/unread-answers.ts";
import { createActivity } from "./activity.ts";
import type { ChainSource } from "./chain-source.ts";
import { createCachedSource } from "./cache/cached-source.ts";
import { deprecationOf } from "./deprecation.ts";
import { createDevelopmentChain } from "./development/development-chain.ts";
import { createDispatch, type Dispatch } from "./rpc/dispatch.ts";
import { createEndpoint, networkOf, type EndpointOptions } from "./rpc/endpoint.ts";
import { createGatewayMetrics } from "./gateway-metrics.ts";
import { codes, RpcError } from "./rpc/json-rpc.ts";
import { toNetworkState, type NetworkState } from "./network-state.ts";
import { developmentNetwork, type NetworkSettings } from "./networks.ts";
import { createRateLimit } from "./rpc/rate-limit.ts";
import type { GatewayLimits, Served } from "./rpc/replies.ts";
import { createSubscriptions, type Subscriptions } from "./subscriptions/subscriptions.ts";
import { unconfiguredSource } from "./upstreams/unconfigured-source.ts";
import { createUpstreamPool } from "./upstreams/upstream-pool.ts";
import { createWebSocketEndpoint } from "./rpc/websocket.ts";

export interface GatewayOptions {
  readonly networks: readonly NetworkSettings[];
  /** Whether a client is served under the host that it names; any host is allowed to clients that are no browsers. */
  readonly isHostAllowed: HostCheck;
  /** Judges credentials of good form; undefined where nobody has to show any. Errors: `AppError`. */
  readonly authorize: ((credentials: Credentials, address: string) => Promise<void>) | undefined;
  /** Told of each request whose credentials are good. */
  readonly admitted: (request: IncomingMessage) => void;
  /** Status of a single call whose method is refused. */
  readonly refusalStatus: 200 | 403;
  readonly limits: GatewayLimits;
  readonly cacheBytesMax: number;
  /** For each client; 0 for no limit. */
  readonly callsPerMinute: number;
  readonly corsOrigins: readonly string[];
  readonly clientAddresses: ClientAddresses;
  /** Told how much is kept for a client that has not read it yet. */
  readonly keepUnread: KeepAccount;
  /** Where the development chain is kept; undefined keeps nothing. */
  readonly dataDirectory: string | undefined;
  /** Version of the software. */
  readonly version: string;
  readonly now: () => Date;
  readonly logger: Logger;
  /** Where it adds what it counts. */
  readonly register: Registry;
}

/** The JSON-RPC gateway (docs/gateway.md). */
export interface Gateway {
  /** Answers below `/gateway/` on `server` in place of what listens to requests already; to be called before others do. */
  readonly mount: (server: Server) => void;
  /** Networks that a development chain stands in for: not the public ones of their names. */
  readonly developmentNetworks: readonly string[];
  /** How its networks stand. */
  readonly networks: () => readonly NetworkState[];
  /** Says goodbye on every WebSocket: the listener cannot close while one is open. */
  readonly endWebSockets: () => Promise<void>;
  /** To be called once nothing is being answered any more. */
  readonly close: () => Promise<void>;
}

/** Below the origin. */
export const gatewayPath = "/gateway";
const networkPrefix = `${gatewayPath}/v1/`;

/** Puts networks, cache and transport together. Nothing is asked of an upstream before the first call. */
export function createGateway(options: GatewayOptions): Gateway {
  const { logger } = options;
  const activity = createActivity(createGatewayMetrics(options.register), options.now);
  const { metrics } = activity;

  const sourceOf = (network: NetworkSettings): ChainSource => {
    const { name, upstreams } = network;
    if (isDevelopment(network)) {
      const directory = options.dataDirectory;
      const journalFile = directory && join(directory, "gateway", `${name}-development-chain.jsonl`);
      return createDevelopmentChain({ ...options, network, journalFile });
    }
    if (upstreams.length === 0) return unconfiguredSource(network);
    const { responseBytesMax } = options.limits;
    return createUpstreamPool({ network, responseBytesMax, metrics, logger });
  };

  const openNetwork = (network: NetworkSettings): OpenNetwork => {
    const source = sourceOf(network);
    const cached = createCachedSource(source, {
      bytesMax: options.cacheBytesMax,
      unconfirmedMsMax: 2 * network.pollMs,
      onBytes: (bytes) => metrics.cacheBytes(network.name, bytes),
    });
    const subscriptions = createSubscriptions({
      source: cached,
      pollMs: network.pollMs,
      logger,
      onCount: (count) => metrics.subscriptions(network.name, count),
    });
    source.onNewBlock?.(subscriptions.wake);
    const dispatch = createDispatch({ ...options, network, source: cached, metrics });
    return { network, source, subscriptions, dispatch };
  };
  const networks = new Map(options.networks.map((network) => [network.name, openNetwork(network)]));

  const find = (name: string): Served => {
    const { network, dispatch } = networks.get(name) ?? refuseUnknown([...networks.keys()]);
    const { headers, refusal } = deprecationOf(network, networkPrefix, options.now);
    if (refusal !== undefined) throw refusal;
    return { dispatch, headers };
  };

  const addressOf = options.clientAddresses.of;
  const endpointOptions: EndpointOptions = {
    prefix: networkPrefix,
    find,
    isHostAllowed: options.isHostAllowed,
    authorize: (request) =>
      options.authorize &&
      authorizeRequest(request, addressOf(request), options.authorize).then(() => options.admitted(request)),
    clientOf:
      options.authorize === undefined ? (request) => clientNetwork(addressOf(request)) : credentialsOf,
    rateLimit: createRateLimit(options.callsPerMinute),
    limits: options.limits,
    corsOrigins: options.corsOrigins,
    keepUnread: options.keepUnread,
    answered: (request, status, ms) => {
      // A line costs more than most calls do: they are written where the level asks for it.
      if (!logger.isLevelEnabled("debug")) return;
      const name = networkOf(request, networkPrefix);
      const network = networks.has(name) ? name : "unknown";
      const line = { network, status, ms: Math.round(ms * 10) / 10, client: addressOf(request) };
      logger.debug(line, "gateway request");
    },
    failed: (request, error) => {
      if (!request.destroyed) logger.error({ err: error }, "unexpected error in the gateway");
    },
  };
  const endpoint = createEndpoint(endpointOptions);
  const webSockets = createWebSocketEndpoint({
    ...endpointOptions,
    subscriptionsOf: (name) => (networks.get(name) as OpenNetwork).subscriptions,
    maySubscribe: (name) => !networks.get(name)?.network.methods.refuse.includes("eth_subscribe"),
    logger,
  });
  return {
    mount: (server) => {
      mountAhead(server, endpoint);
      server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
        socket.on("error", () => socket.destroy());
        webSockets.upgrade(request, socket, head).catch((error: unknown) => {
          socket.destroy();
          endpointOptions.failed(request, error);
        });
      });
    },
    developmentNetworks: options.networks.filter(isDevelopment).map(({ name }) => name),
    networks: () =>
      options.networks.map((network) =>
        toNetworkState(network, {
          path: networkPrefix + network.name,
          source: sourceKind(network),
          isRetired: deprecationOf(network, networkPrefix, options.now).refusal !== undefined,
          activity: activity.of(network.name),
        }),
      ),
    endWebSockets: webSockets.close,
    close: async () => {
      for (const { source, subscriptions } of networks.values()) {
        subscriptions.close();
        await source.close();
      }
    },
  };
}

interface OpenNetwork {
  readonly network: NetworkSettings;
  readonly source: ChainSource;
  readonly subscriptions: Subscriptions;
  readonly dispatch: Dispatch;
}

/** Whether a request asks for a WebSocket of the gateway; what else asks for an upgrade is answered without one. */
export function asksForWebSocket({ url = "", headers }: IncomingMessage): boolean {
  return isBelow(url) && headers.upgrade?.toLowerCase() === "websocket";
}

function isDevelopment({ name, upstreams }: NetworkSettings): boolean {
  return name === developmentNetwork && upstreams.length === 0;
}

function sourceKind(network: NetworkSettings): NetworkState["source"] {
  if (isDevelopment(network)) return "development_chain";
  return network.upstreams.length > 0 ? "upstreams" : "none";
}

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/** Fastify costs more than an answer out of the cache does, so requests to the gateway do not pass through it. */
function mountAhead(server: Server, handle: Listener): void {
  const others = server.listeners("request") as Listener[];
  server.removeAllListeners("request");
  server.on("request", (request, response) => {
    if (isBelow(request.url ?? "")) handle(request, response);
    else for (const other of others) other.call(server, request, response);
  });
}

function isBelow(url: string): boolean {
  return url.startsWith(gatewayPath) && ["", "/", "?"].includes(url.charAt(gatewayPath.length));
}

/**
 * Errors: `RpcError` 401 without credentials or with malformed ones, 403 for those that are nobody's, 503 where nobody can
 * tell.
 */
async function authorizeRequest(
  { headers }: IncomingMessage,
  address: string,
  authorize: NonNullable<GatewayOptions["authorize"]>,
): Promise<void> {
  try {
    await authorize(readCredentials(headers), address);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.kind === "unavailable") throw new RpcError(codes.unavailable, error.message, { status: 503 });
    const isUnknown = error.kind === "invalid" || error.kind === "unauthenticated";
    throw new RpcError(codes.serverError, error.message, {
      status: isUnknown ? 401 : 403,
      ...(isUnknown && { headers: { "www-authenticate": "Bearer" } }),
    });
  }
}

/** Tells callers apart by the credentials that are judged, however they are written, without keeping them. */
function credentialsOf({ headers }: IncomingMessage): string {
  const { token, key } = readCredentials(headers);
  const judged = token ?? `${key?.email.toLowerCase()} ${key?.key}`;
  return createHash("sha256").update(judged).digest("base64");
}

function refuseUnknown(known: readonly string[]): never {
  const names = known.toSorted();
  throw new RpcError(codes.notFound, `Unknown network; there are: ${names.join(", ")}`, {
    status: 404,
    data: { networks: names },
  });
}
