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
  /** How long an answer waits for a client that reads nothing of it. */
  unreadMsMax: 30_000,
  /** Milliseconds in which a body must be complete while its sender is unknown. */
  anonymousBodyMsMax: 10_000,
  silenceMsMax: serverSilenceMsMax,
  /** Where the built files of the dashboard are. */
  dashboardDirectory: dirname(fileURLToPath(import.meta.resolve("#dashboard/index.html"))),
};

/** What a server takes from the program that starts it, besides the settings; mostly for tests. */
export interface Environment extends Partial<typeof defaults>, Omit<StoreWaits, "silenceMsMax"> {
  readonly logger: Logger;
  readonly newId?: () => string;
  /** How long the edge waits until an origin accepts a connection. */
  readonly originConnectMs?: number;
  /** The program of each thread of the name server beside the main one. */
  readonly dnsWorkerProgram?: URL;
  /** The program of each thread that runs tasks. */
  readonly taskWorkerProgram?: URL;
  /** How long a DNS look-up may take. */
  readonly lookUpMs?: number;
}

/** The environment with a default for all that it leaves out. */
export function completeEnvironment(given: Environment) {
  return { ...defaults, ...given };
}

export type CompleteEnvironment = ReturnType<typeof completeEnvironment>;
