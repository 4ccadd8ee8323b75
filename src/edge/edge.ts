import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

import type { Logger } from "pino";
import { Counter, type Registry } from "prom-client";

import type { FailMode } from "../core/judging/evaluation.ts";
import type { OriginRule } from "../core/net/origin-address.ts";
import type { ClientAddresses } from "../wire/client-address.ts";
import type { ListeningAddress } from "../wire/listening.ts";
import { rayGenerator } from "../wire/ray.ts";
import { Compressors } from "./answer/compression.ts";
import { Challenges } from "./challenges/challenges.ts";
import type { TakeSeed } from "./challenges/puzzle.ts";
import { VisitorIds } from "./challenges/visitor-ids.ts";
import { listenForHttp, listenForHttps, VisitorConnections, type Listener } from "./connections/listeners.ts";
import { TlsContexts } from "./connections/tls-contexts.ts";
import { judgeListener } from "./judge/judge.ts";
import type { AskCoreRules, AskRuleParts, ServedRequest } from "./rules/run-rules.ts";
import type { MatchedRulesLog } from "./rules/matched-rules-log.ts";
import type { RateCounters } from "./rules/rate-counters.ts";
import { OriginPools } from "./origin/origin-connections.ts";
import { Origins, type LookUpAddresses } from "./zones/hosts.ts";
import { BodyDecoders } from "./request/content-encoding.ts";
import { WaitingExchanges, type Visit } from "./request/exchange.ts";
import { HeldBodies } from "./request/request-body.ts";
import type { Locate } from "./request/visitor-location.ts";
import { serveRequest, type Serving } from "./serve-request.ts";
import type { EdgeZone, EdgeZones } from "./zones/edge-zone.ts";

export interface EdgeOptions {
  readonly http: readonly ListeningAddress[];
  readonly https: readonly ListeningAddress[];
  /** Addresses at which reverse proxies ask for verdicts. */
  readonly judge: readonly ListeningAddress[];
  /** Threads that serve visitors like this one. They share what is limited for all visitors of the process. */
  readonly threads: number;
  /** The same in all threads: a visitor that resumes a session over TLS may reach another one. 48 octets. */
  readonly ticketKeys: Uint8Array;
  /** Whether a reverse proxy at this address may ask for verdicts. */
  readonly mayAsk: (address: string) => boolean;
  readonly zones: EdgeZones;
  readonly mayBeOrigin: OriginRule;
  readonly lookUpAddresses: LookUpAddresses;
  readonly clientAddresses: ClientAddresses;
  readonly matchedRules: MatchedRulesLog | undefined;
  readonly failMode: FailMode;
  /**
   * Keys of 32 bytes for challenges. An edge accepts what another one sealed if it has that one's first key.
   */
  readonly challengeKeys: () => readonly Buffer[];
  readonly takeSeed: TakeSeed;
  readonly counters: RateCounters;
  /** Identifies this installation in `CDN-Loop` (RFC 8586), once it is known. */
  readonly loopToken: () => string;
  readonly connectionsMax: number;
  readonly connectionsPerClientMax: number;
  /** The client whose limit a connection from an address counts towards; undefined for none. */
  readonly clientOf: (address: string) => string | undefined;
  /** Milliseconds within which an origin must accept a connection. */
  readonly connectMs: number;
  readonly watchVisits: WatchVisits | undefined;
  /**
   * Certificates (PEM) of authorities that are trusted besides the public ones when an origin's certificate
   * is verified.
   */
  readonly originAuthorities: () => readonly string[];
  readonly locate: Locate | undefined;
  readonly askCoreRules: AskCoreRules;
  readonly askRuleParts: AskRuleParts;
  readonly judged: (served: ServedRequest) => void;
  readonly now: () => Date;
  readonly logger: Logger;
  readonly register: Registry;
}

type FindVisited = () => Pick<EdgeZone, "id" | "accountId"> | undefined;

/** Lets others see what visitors send and get, and act on it. `visited` finds the zone that is visited. */
export interface WatchVisits {
  /** Calls `proceed` for a request that is to be served as usual. */
  readonly receive: (
    request: IncomingMessage,
    response: ServerResponse,
    visited: FindVisited,
    proceed: () => void,
  ) => void;
  /** Creates a stream through which the origin's octets of a WebSocket go; `early` octets came with the handshake. */
  readonly relay: (relay: {
    readonly request: IncomingMessage;
    readonly visited: FindVisited;
    readonly early: number;
  }) => Duplex | undefined;
}

export interface RunningEdge {
  /** Host and port, `127.0.0.1:8080`. */
  readonly bound: { readonly http: readonly ListeningAddress[]; readonly https: readonly ListeningAddress[] };
  readonly httpAddresses: readonly string[];
  readonly httpsAddresses: readonly string[];
  readonly judgeAddresses: readonly string[];
  /** Finishes the requests in flight. */
  readonly close: () => Promise<void>;
}

/** The location code at the end of ray ids. */
const place = "ZWD";
const graceMs = 5_000;
/** For how long an answer may wait for its visitor: as long as a connection may be without a request. */
const waitMs = 400_000;

/** The host name that a request names, before the request has been checked. */
function visitedName({ headers }: Visit["request"]): string {
  const host = String(headers[":authority"] ?? headers.host ?? "");
  return host.toLowerCase().replace(/\.?(?::\d*)?$/, "");
}

/** Listens, and serves the proxied names of `zones`. Throws what listening throws. */
export async function startEdge(options: EdgeOptions): Promise<RunningEdge> {
  const { zones, mayBeOrigin, lookUpAddresses, clientAddresses, watchVisits, now, logger } = options;
  const visited = (visit: Visit) => () => zones.named(visitedName(visit.request));
  const threadsShare = (all: number): number => Math.ceil(all / options.threads);
  const connectionsMax = threadsShare(options.connectionsMax);
  const answers = new Map<number, number>();
  options.register.registerMetric(
    new Counter({
      name: "zoneward_edge_requests_total",
      help: "Requests of visitors, by the status of the answer; 499 where the visitor left before it",
      labelNames: ["status"],
      registers: [],
      collect() {
        for (const [status, count] of answers) this.inc({ status }, count);
        answers.clear();
      },
    }),
  );
  const nowMs = (): number => now().getTime();
  const pools = new OriginPools(options.connectMs, options.originAuthorities, nowMs);
  const waiting = new WaitingExchanges({ max: connectionsMax, msMax: waitMs }, nowMs);
  const serving: Serving = {
    edge: {
      newRay: rayGenerator(place),
      loopToken: options.loopToken,
      now,
      logger,
      answered: (status) => void answers.set(status, (answers.get(status) ?? 0) + 1),
    },
    zones,
    addressOf: (request) => clientAddresses.of(request),
    locate: options.locate,
    judging: {
      counters: options.counters,
      challenges: new Challenges(options.challengeKeys, now, options.takeSeed),
      visitorIds: new VisitorIds(options.challengeKeys, now),
      bodyDecoders: new BodyDecoders(),
      failMode: options.failMode,
      askCoreRules: options.askCoreRules,
      askRuleParts: options.askRuleParts,
      matchedRules: options.matchedRules,
      judged: options.judged,
    },
    forwarding: {
      origins: new Origins(zones, mayBeOrigin, lookUpAddresses, nowMs),
      pools,
      compressors: new Compressors(),
      waiting,
      watchRelay:
        watchVisits &&
        ((visit) =>
          watchVisits.relay({
            request: visit.request as IncomingMessage,
            visited: visited(visit),
            early: visit.upgrade?.head.length ?? 0,
          })),
    },
    heldBodies: new HeldBodies(options.threads),
  };
  const listening = {
    zones,
    contexts: new TlsContexts(),
    ticketKeys: Buffer.from(options.ticketKeys),
    connections: new VisitorConnections({
      connectionsMax,
      perClientMax: threadsShare(options.connectionsPerClientMax),
      clientOf: options.clientOf,
    }),
    serve: (visit: Visit, isSecure: boolean) => {
      const proceed = (): void => void serveRequest(serving, visit, isSecure);
      if (watchVisits === undefined) proceed();
      else
        watchVisits.receive(
          visit.request as IncomingMessage,
          visit.response as ServerResponse,
          visited(visit),
          proceed,
        );
    },
    onCertificateError: (name: string, error: unknown) =>
      logger.error({ err: error, name }, "a certificate cannot be used"),
  };
  const listenForProxies = judgeListener({ ...options, ...serving });
  const listeners: { http: Listener[]; https: Listener[]; judge: Listener[] } = {
    http: [],
    https: [],
    judge: [],
  };
  const close = async (): Promise<void> => {
    await Promise.all(
      Object.values(listeners)
        .flat()
        .map((listener) => listener.close(graceMs)),
    );
    waiting.stop();
    await pools.close();
  };
  try {
    for (const address of options.http) listeners.http.push(await listenForHttp(address, listening));
    for (const address of options.https) listeners.https.push(await listenForHttps(address, listening));
    for (const address of options.judge) listeners.judge.push(await listenForProxies(address));
  } catch (error) {
    await close();
    throw error;
  }
  const boundOf = (those: readonly Listener[]): ListeningAddress[] => those.map(({ address }) => address);
  return {
    bound: { http: boundOf(listeners.http), https: boundOf(listeners.https) },
    httpAddresses: listeners.http.map(addressOf),
    httpsAddresses: listeners.https.map(addressOf),
    judgeAddresses: listeners.judge.map(addressOf),
    close,
  };
}

function addressOf({ address: { host, port } }: Listener): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}
