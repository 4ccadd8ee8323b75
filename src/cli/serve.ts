import type { Logger } from "pino";

import { startApp } from "../server/app.ts";
import { readConfig, renderConfig } from "../config/config.ts";
import { explainFailure } from "../process/open-store.ts";
import { banner } from "./banner.ts";
import { runToEnd } from "./command-line.ts";
import { collectOldObjectsOften, keepNewObjectsYoung } from "./heap-flags.ts";
import { createLogger } from "./logger.ts";

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
export async function closeBySignal(
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

/**
 * Waits for the first signal. Another one soon after it is ignored, because npm repeats those of the
 * terminal.
 */
export function nextSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of endingSignals) process.on(signal, resolve);
  });
}
