import type { IncomingMessage, Server, ServerResponse } from "node:http";

import type { Identity } from "../core/policy/caller.ts";
import type { Listener } from "../core/test-controls/exchange.ts";
import type { FaultSet } from "../core/test-controls/fault-set.ts";
import type { WatchWebSockets } from "../gateway/rpc/websocket.ts";
import { putBefore } from "../wire/listening.ts";
import { carries, isJson, perform, holdAnswer, sendWhole } from "./effects.ts";
import type { FindOperation } from "./journal-entry.ts";
import { HttpExchange, type FindVisited } from "./http-exchange.ts";
import { nameControls } from "./operation.ts";
import type { Profile } from "./profile.ts";
import type { RequestJournal } from "./request-journal.ts";

export interface DoorOptions {
  readonly faults: FaultSet;
  readonly journal: RequestJournal;
  /** The path of the API, `/client/v4`. */
  readonly basePath: string;
  /** The path of the gateway, `/gateway`. */
  readonly gatewayPath: string;
  readonly findOperation: FindOperation;
  /** The id of the token of a request; undefined for other credentials. */
  readonly tokenOf: (request: IncomingMessage) => Promise<string | undefined>;
  readonly profile: Profile;
  /** Called before a request is answered, unless the profile is strict. */
  readonly prepare: (exchange: HttpExchange) => Promise<void>;
  readonly now: () => Date;
}

/**
 * The way of every request to the API, the gateway and the edge: faults act on it, and the journal keeps it.
 */
export interface Door {
  /**
   * Watches a server. It must be called after the listeners of requests were added, and before they are bound
   * to turns.
   */
  readonly watch: (server: Server) => void;
  /** A visit of the edge, of the zone that `visited` finds. */
  readonly visit: (
    request: IncomingMessage,
    response: ServerResponse,
    visited: FindVisited,
    proceed: () => void,
  ) => void;
  /** A request for a WebSocket of the gateway. */
  readonly handshake: WatchWebSockets["receiveHandshake"];
  readonly noteCaller: (request: IncomingMessage, caller: Identity) => void;
}

type Arrival = Pick<ConstructorParameters<typeof HttpExchange>[1], "listener" | "visited">;

/**
 * The property of a request that holds its exchange. A map from requests to exchanges would keep them until
 * the next full garbage collection.
 */
const exchangeKey = Symbol("exchange");

interface SeenRequest extends IncomingMessage {
  [exchangeKey]?: HttpExchange;
}

export function createDoor(options: DoorOptions): Door {
  const { faults, journal, profile, prepare, findOperation, tokenOf, now } = options;

  const pass = async (
    exchange: HttpExchange,
    request: IncomingMessage,
    response: ServerResponse,
    proceed: () => void,
  ) => {
    const isVisit = exchange.listener === "edge";
    if (faults.asksForToken && !isVisit) exchange.token = await tokenOf(request);
    const { fault, ...ofFaults } = faults.decide(exchange, (each) => carries(exchange, each));
    const ofProfile = fault === undefined && !isVisit ? profile.decide(exchange) : undefined;
    exchange.fault = fault?.id;
    const effect = ofFaults.effect ?? ofProfile?.effect;
    const latencyMs = ofFaults.latencyMs + (ofProfile?.latencyMs ?? 0);
    if (latencyMs > 0) await wait(latencyMs, response);
    if (!isVisit) await prepare(exchange);
    if (response.destroyed) return;
    if (effect === undefined && !isVisit && profile.varies(exchange)) {
      holdAnswer(response, (body) => sendWhole(response, varied(body, exchange, response, profile)));
    }
    if (effect === undefined) proceed();
    else {
      nameControls(response);
      const earlierAnswer = (current: string) => journal.earlierAnswer(exchange, current);
      perform(effect, { request, response, exchange, proceed, earlierAnswer, nowMs: now().getTime() });
    }
  };

  const receive = (
    request: SeenRequest,
    response: ServerResponse,
    { proceed, ...arrival }: Arrival & { readonly proceed: () => void },
  ): void => {
    const exchange = new HttpExchange(request, {
      ...arrival,
      number: journal.nextNumber(),
      at: now().getTime(),
      findOperation,
    });
    request[exchangeKey] = exchange;
    exchange.follow(request, response, () => journal.add(exchange));
    if (faults.size === 0 && profile.name === "strict") proceed();
    else pass(exchange, request, response, proceed).catch(() => response.destroy());
  };

  return {
    watch: (server) => {
      putBefore(server, (request, response, proceed) => {
        const listener = listenerOf(request.url ?? "", options);
        if (listener === undefined) proceed(request, response);
        else receive(request, response, { listener, proceed: () => proceed(request, response) });
      });
    },
    visit: (request, response, visited, proceed) =>
      receive(request, response, { listener: "edge", visited, proceed }),
    handshake: (request, response, proceed) => receive(request, response, { listener: "gateway", proceed }),
    noteCaller: (request: SeenRequest, caller) => {
      const exchange = request[exchangeKey];
      if (exchange === undefined) return;
      exchange.identity = caller;
      if (caller.credential.kind === "token") exchange.token = caller.credential.tokenId;
    },
  };
}

function varied(body: Buffer, exchange: HttpExchange, response: ServerResponse, profile: Profile): Buffer {
  const isVaried = response.statusCode === 200 && isJson(response) && body.length > 0;
  return isVaried ? Buffer.from(profile.vary(exchange, body.toString())) : body;
}

/**
 * The listener of a request; undefined for the test controls themselves, probes, documents and the dashboard.
 */
function listenerOf(
  url: string,
  { basePath, gatewayPath }: Pick<DoorOptions, "basePath" | "gatewayPath">,
): Listener | undefined {
  if (isBelow(url, basePath)) return "api";
  return isBelow(url, gatewayPath) ? "gateway" : undefined;
}

function isBelow(url: string, path: string): boolean {
  return url.startsWith(path) && ["", "/", "?"].includes(url.charAt(path.length));
}

/** Waits, at most until the client is gone. */
function wait(ms: number, response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    response.once("close", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
