import { setFlagsFromString } from "node:v8";

import type { Logger } from "pino";

import { banner } from "./banner.ts";
import { runToEnd } from "./command-line.ts";
import { createLogger } from "./logger.ts";
import { readConfig, renderConfig } from "../config/config.ts";
import { explainFailure } from "../process/open-store.ts";

const failure = 1;
const shutdownMsMax = 10_000;
const endingSignals = ["SIGINT", "SIGTERM"] as const;
const repeatMs = 1_000;

/** `zoneward serve`: runs until a signal ends it. */
export async function serve(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  keepNewObjectsYoung();
  return runToEnd(async () => {
    const { config, printConfig } = await readConfig(args, env);
    if (printConfig) {
      process.stdout.write(`${renderConfig(config)}\n`);
      return;
    }

    const logger = createLogger(config.log_level);
    const { startApp } = await import("../server/app.ts");
    const app = await explainFailure("cannot start", () => startApp(config, { logger }));
    // Waits for signals before the banner is printed, as its reader may send one at once.
    const signalled = nextSignal();
    process.stdout.write(banner(app, config));
    collectOldObjectsOften();

    await closeBySignal(signalled, logger, app.close);
  });
}

/**
 * Ends the process where closing takes too long, or leaves something open that keeps the process alive. A
 * second signal ends it at once.
 */
async function closeBySignal(
  signalled: Promise<NodeJS.Signals>,
  logger: Logger,
  close: () => Promise<void>,
): Promise<void> {
  const signal = await signalled;
  logger.info({ signal }, "finishing the requests in flight");
  setTimeout(() => endingSignals.forEach((one) => process.removeAllListeners(one)), repeatMs).unref();
  const deadline = setTimeout(() => process.exit(failure), shutdownMsMax);
  await close();
  deadline.unref();
}

/** Waits for the first signal. Another one soon after it is ignored, because npm repeats those of the terminal. */
function nextSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of endingSignals) process.on(signal, resolve);
  });
}

/** `zoneward edge`: serves visitors, without the API, until a signal ends it. */
export async function edge(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  keepNewObjectsYoung();
  return runToEnd(async () => {
    const { config } = await readConfig(args, env);
    const logger = createLogger(config.log_level);
    const { startEdgeProcess } = await import("../server/edge-process.ts");
    const running = await explainFailure("cannot start", () => startEdgeProcess(config, { logger }));
    const signalled = nextSignal();
    const { probesUrl, edgeHttpAddresses, edgeHttpsAddresses, edgeJudgeAddresses } = running;
    const places = [
      ...edgeHttpAddresses.map((address) => `http://${address}`),
      ...edgeHttpsAddresses.map((address) => `https://${address}`),
      ...edgeJudgeAddresses.map((address) => `judge at ${address}`),
    ];
    process.stdout.write(`Zoneward's edge is ready: ${places.join(", ")}; probes at ${probesUrl}\n`);
    await closeBySignal(signalled, logger, running.close);
  });
}

// The running server sets the flags, as Node.js would refuse to start with one that a later version no longer
// knows.

/**
 * Keeps V8 from creating objects as old ones. It does so where the objects of an expression have lived long,
 * as in a start or in a burst of requests; from then on, those of every request would have to be collected
 * among the old ones (docs/performance.md#memory).
 */
function keepNewObjectsYoung(): void {
  setFlagsFromString("--no-allocation-site-pretenuring");
}

/** Collects old objects each time that they have grown by a fifth (docs/performance.md#memory). */
function collectOldObjectsOften(): void {
  setFlagsFromString("--heap-growing-percent=20");
}
