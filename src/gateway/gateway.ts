import { createHash } from "node:crypto";
import type { IncomingMessage, Server } from "node:http";
import { join } from "node:path";
import type { Duplex } from "node:stream";

import type { Logger } from "pino";
import type { Registry } from "prom-client";

import { readCredentials, type Credentials } from "../api/credentials.ts";
import { foldEmail } from "../core/email.ts";
import { AppError } from "../core/error.ts";
import { clientNetwork } from "../core/net/client-network.ts";
import { createActivity, toNetworkState, type NetworkState } from "./activity.ts";
import { createCachedSource } from "./cache/cached-source.ts";
import { type ChainSource, type Party, unconfiguredSource } from "./chain/chain-source.ts";
import { credentialsError, rpcErrors, type RpcError } from "./chain/errors.ts";
import { createGatewayMetrics } from "./chain/metrics.ts";
import { developmentNetwork, type NetworkSettings } from "./chain/networks.ts";
import { createDevelopmentChain } from "./development/development-chain.ts";
import { createRateLimit, type GatewayLimits, type NetworkService } from "./rpc/batch.ts";
import { createDispatch, type Dispatch } from "./rpc/dispatch.ts";
import { createEndpoint, networkOf, type EndpointOptions } from "./rpc/endpoint.ts";
import {
  createWebSocketEndpoint,
  pushMessage,
  respondToMessage,
  type WatchWebSockets,
} from "./rpc/websocket.ts";
import { createSubscriptions, type Subscriptions } from "./subscriptions/subscriptions.ts";
import { createUpstreamPool } from "./upstreams/upstream-pool.ts";
import type { ClientAddresses } from "../wire/client-address.ts";
import { handshakeResponse } from "../wire/handshake.ts";
import type { HostCheck } from "../wire/host-header.ts";
import { putBefore } from "../wire/listening.ts";
import type { KeepAccount } from "../wire/unread-answers.ts";

export interface GatewayOptions {
  readonly networks: readonly NetworkSettings[];
  /** Whether a request may use the host that it names. */
  readonly isHostAllowed: HostCheck;
  /** Checks credentials; undefined if none are needed. Errors: `AppError`. */
  readonly authorize: ((credentials: Credentials, address: string) => Promise<Party>) | undefined;
  /** Called for each request with valid credentials. */
  readonly onAuthorized: (request: IncomingMessage) => void;
  /** HTTP status of a single call whose method is refused. */
  readonly refusalStatus: 200 | 403;
  readonly limits: GatewayLimits;
  readonly cacheBytesMax: number;
  /** Limit for each client; 0 for none. */
  readonly callsPerMinute: number;
  readonly corsOrigins: readonly string[];
  readonly clientAddresses: ClientAddresses;
  /** Called with the number of bytes that are kept for a client that has not read them yet. */
  readonly keepUnread: KeepAccount;
  /** The directory of the development chain; undefined to store nothing. */
  readonly dataDirectory: string | undefined;
  readonly version: string;
  readonly now: () => Date;
  readonly logger: Logger;
  readonly register: Registry;
}

/** The JSON-RPC gateway (docs/gateway.md). */
export interface Gateway {
  /** Takes the requests below `/gateway/` from the listeners that `server` has now. */
  readonly mount: (server: Server, watch?: WatchWebSockets) => void;
  /** Names of the networks that are served by a development chain. */
  readonly developmentNetworks: readonly string[];
  readonly networks: () => readonly NetworkState[];
  /** Lets every client make as many calls again as the rate limit allows. */
  readonly forgetCalls: () => void;
  /** Must be called before the server is closed, which waits for open WebSockets. */
  readonly closeWebSockets: () => Promise<void>;
  /** Must be called when no request is in progress any more. */
  readonly close: () => Promise<void>;
}

const unwatched: WatchWebSockets = {
  receiveHandshake: (_request, _response, proceed) => proceed(),
  respond: respondToMessage,
  push: pushMessage,
};

export const gatewayPath = "/gateway";
const networkPrefix = `${gatewayPath}/v1/`;

/** Connects networks, caches and transport. Upstreams get no request before the first call. */
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

  const find = (name: string): NetworkService => {
    const open = networks.get(name);
    if (open === undefined) throw rpcErrors.unknownNetwork([...networks.keys()].toSorted());
    const { network, dispatch } = open;
    const { headers, refusal } = deprecationOf(network, networkPrefix, options.now);
    if (refusal !== undefined) throw refusal;
    return { dispatch, headers };
  };

  const addressOf = options.clientAddresses.of;
  const parties = new WeakMap<IncomingMessage, Party>();
  const rateLimit = createRateLimit(options.callsPerMinute, options.now);
  const endpointOptions: EndpointOptions = {
    prefix: networkPrefix,
    find,
    isHostAllowed: options.isHostAllowed,
    authorize: (request) => {
      const { authorize, onAuthorized } = options;
      if (authorize === undefined) return undefined;
      return authorizeRequest(request, addressOf(request), authorize).then((party) => {
        parties.set(request, party);
        onAuthorized(request);
      });
    },
    clientOf: (request) =>
      options.authorize === undefined ? clientNetwork(addressOf(request)) : credentialsHash(request),
    partyOf: (request) => parties.get(request) ?? clientNetwork(addressOf(request)),
    rateLimit: rateLimit.count,
    limits: options.limits,
    corsOrigins: options.corsOrigins,
    keepUnread: options.keepUnread,
    onAnswer: (request, status, beganMs) => {
      // Writing a line costs more than most calls.
      if (!logger.isLevelEnabled("debug")) return;
      const name = networkOf(request, networkPrefix);
      const network = networks.has(name) ? name : "unknown";
      const ms = Math.round((performance.now() - beganMs) * 10) / 10;
      const line = { network, status, ms, client: addressOf(request) };
      logger.debug(line, "gateway request");
    },
    onFailure: (request, error) => {
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
    mount: (server, watch = unwatched) => {
      putBefore(server, (request, response, proceed) =>
        isBelow(request.url ?? "") ? endpoint(request, response) : proceed(request, response),
      );
      server.on("upgrade", (request: IncomingMessage, connection: Duplex, head: Buffer) => {
        const response = handshakeResponse(request, connection);
        watch.receiveHandshake(request, response, () => {
          webSockets.upgrade({ request, response, connection, head }, watch).catch((error: unknown) => {
            connection.destroy();
            endpointOptions.onFailure(request, error);
          });
        });
      });
    },
    forgetCalls: rateLimit.forget,
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
    closeWebSockets: webSockets.close,
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

/** Whether a request asks for a WebSocket of the gateway. Other requests for an upgrade are answered without it. */
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

function isBelow(url: string): boolean {
  return url.startsWith(gatewayPath) && ["", "/", "?"].includes(url.charAt(gatewayPath.length));
}

/** Errors: `RpcError` 401, 403, 503. */
async function authorizeRequest(
  { headers }: IncomingMessage,
  address: string,
  authorize: NonNullable<GatewayOptions["authorize"]>,
): Promise<Party> {
  try {
    return await authorize(readCredentials(headers), address);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw credentialsError(error);
  }
}

/** Identifies a caller without keeping its credentials in memory. */
function credentialsHash({ headers }: IncomingMessage): string {
  const { token, key } = readCredentials(headers);
  const credentials = token ?? `${foldEmail(key?.email ?? "")} ${key?.key}`;
  return createHash("sha256").update(credentials).digest("base64");
}

interface Deprecation {
  /** For every answer: `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and the `Link` to the successor (RFC 5829). */
  readonly headers: Readonly<Record<string, string>>;
  /** The error of every call once the network is retired. */
  readonly refusal: RpcError | undefined;
}

/** The deprecation of a network below the path `prefix`. It is retired at midnight UTC of the day that it names. */
function deprecationOf(network: NetworkSettings, prefix: string, now: () => Date): Deprecation {
  const { name, deprecatedOn, successor } = network;
  if (deprecatedOn === undefined) return { headers: {}, refusal: undefined };
  const end = new Date(`${deprecatedOn}T00:00:00Z`);
  const successorPath = successor && prefix + successor;
  const headers = {
    deprecation: `@${end.getTime() / 1000}`,
    sunset: end.toUTCString(),
    ...(successorPath && { link: `<${successorPath}>; rel="successor-version"` }),
  };
  if (end > now()) return { headers, refusal: undefined };
  // Without a redirect: the successor is another chain.
  const advice = successorPath ? `; use ${successorPath} instead, the body is unchanged` : "";
  const refusal = rpcErrors.retiredNetwork(
    `The network ${name} was retired on ${deprecatedOn}${advice}`,
    { network: name, deprecated_on: deprecatedOn, successor },
    headers,
  );
  return { headers, refusal };
}
