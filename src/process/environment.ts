import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

import type { Logger } from "pino";

import type { StoreWaits } from "../storage/database.ts";
import { serverSilenceMsMax } from "../storage/open-database.ts";

/** `RoundMs` is the time between two rounds of a timer. */
const defaults = {
  now: () => new Date(),
  activationRoundMs: 5_000,
  dnssecRoundMs: 5_000,
  issuanceRoundMs: 5_000,
  auditLogRoundMs: 10_000,
  securityEventRoundMs: 10_000,
  sessionRoundMs: 10_000,
  coreRulesRoundMs: 2_000,
  /** Milliseconds that an answer waits for a client that reads nothing of it. */
  unreadMsMax: 30_000,
  /** Milliseconds in which a body must be complete while its sender is unknown. */
  anonymousBodyMsMax: 10_000,
  silenceMsMax: serverSilenceMsMax,
  dashboardDirectory: dirname(fileURLToPath(import.meta.resolve("#dashboard/index.html"))),
};

/** Parameters that the program which starts a server gives besides the settings; mostly for tests. */
export interface Environment extends Partial<typeof defaults>, Omit<StoreWaits, "silenceMsMax"> {
  readonly logger: Logger;
  readonly newId?: () => string;
  /** Milliseconds in which an origin has to accept a connection of the edge. */
  readonly originConnectMs?: number;
  /** The program of each thread of the name server beside the main one. */
  readonly dnsWorkerProgram?: URL;
  /** The same of the edge. */
  readonly edgeWorkerProgram?: URL;
  readonly taskWorkerProgram?: URL;
  /** Milliseconds that a DNS look-up may take. */
  readonly lookUpMs?: number;
}

/** The environment with a default for all that it leaves out. */
export function completeEnvironment(given: Environment) {
  return { ...defaults, ...given };
}

export type CompleteEnvironment = ReturnType<typeof completeEnvironment>;
