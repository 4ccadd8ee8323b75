import { banner } from "./banner.ts";
import { runToEnd } from "./command-line.ts";
import { createLogger } from "./logger.ts";
import { closeBySignal, collectOldObjectsOften, keepNewObjectsYoung, nextSignal } from "./until-signal.ts";
import { readConfig, renderConfig } from "../config/config.ts";
import { explainFailure } from "../process/open-store.ts";
import { startApp } from "../server/app.ts";

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
