import type { IncomingMessage, Server } from "node:http";

import type { Identity } from "../core/policy/caller.ts";
import { AppError } from "../core/error.ts";
import { FaultSet } from "../core/test-controls/fault-set.ts";
import type { OperationNames } from "../core/test-controls/match.ts";
import type { ClientAddresses } from "../wire/client-address.ts";
import { readCredentials } from "../api/credentials.ts";
import type { Api } from "../api/server-options.ts";
import type { WatchWebSockets } from "../gateway/rpc/websocket.ts";
import type { Respond } from "../name-server/listeners.ts";
import { watchQuestions, type FindZone } from "./dns-door.ts";
import { createDoor, type Door } from "./door.ts";
import { operationFinder } from "./journal-entry.ts";
import { prepareZone, type LenientHooks } from "./lenient.ts";
import { watchMessages } from "./message-door.ts";
import type { Profile } from "./profile.ts";
import { watchRelay, type WatchRelay } from "./relay-door.ts";
import { RequestJournal } from "./request-journal.ts";

export interface TrafficOptions {
  readonly controlled: Api;
  /** The path of the gateway, `/gateway`. */
  readonly gatewayPath: string;
  readonly clientAddresses: Pick<ClientAddresses, "of">;
  readonly profile: Profile;
  readonly lenientHooks: LenientHooks;
  readonly now: () => Date;
}

/**
 * The traffic of the API, the gateway, the name server and the edge: faults act on it, and the journal keeps
 * it.
 */
export interface Traffic {
  readonly faults: FaultSet;
  readonly journal: RequestJournal;
  readonly operationNames: OperationNames;
  /**
   * Watches a server. It must be called after the listeners of requests were added, and before they are bound
   * to turns.
   */
  readonly watch: (server: Server) => void;
  readonly watchQuestions: (respond: Respond, zoneOf: FindZone) => Respond;
  /** Passes requests and WebSockets of the edge through faults and journal. */
  readonly watchVisits: { readonly receive: Door["visit"]; readonly relay: WatchRelay };
  /** Passes the handshakes and messages of the gateway's WebSockets through the faults and the journal. */
  readonly watchWebSockets: WatchWebSockets;
  readonly noteCaller: (request: IncomingMessage, caller: Identity) => void;
}

export function createTraffic({
  controlled,
  gatewayPath,
  clientAddresses,
  ...options
}: TrafficOptions): Traffic {
  const { profile, lenientHooks, now } = options;
  const findOperation = operationFinder(controlled);
  const kept = { faults: new FaultSet(), journal: new RequestJournal(findOperation), now };
  const operationNames = new Set(controlled.routes.map(({ operation }) => operation));
  const tokenOf = async (request: IncomingMessage): Promise<string | undefined> => {
    const identity = await identify(request, controlled.authenticate, clientAddresses.of(request));
    return identity?.credential.kind === "token" ? identity.credential.tokenId : undefined;
  };
  const door = createDoor({
    ...kept,
    profile,
    prepare: async (exchange) => {
      if (profile.name === "lenient") await prepareZone(exchange, lenientHooks);
    },
    basePath: controlled.basePath,
    gatewayPath,
    findOperation,
    tokenOf,
  });
  return {
    ...kept,
    operationNames,
    watch: door.watch,
    watchQuestions: (respond, zoneOf) => watchQuestions(respond, zoneOf, kept),
    watchVisits: { receive: door.visit, relay: watchRelay({ ...kept, findOperation }) },
    watchWebSockets: {
      receiveHandshake: door.handshake,
      ...watchMessages({ ...kept, findOperation, tokenOf }),
    },
    noteCaller: door.noteCaller,
  };
}

/** Finds the sender of a request; undefined where that is not known. */
async function identify(
  { headers }: IncomingMessage,
  authenticate: Api["authenticate"],
  address: string,
): Promise<Identity | undefined> {
  try {
    const identity = await authenticate(readCredentials(headers), address);
    return identity instanceof AppError ? undefined : identity;
  } catch {
    // The request itself is answered with the error.
    return undefined;
  }
}
