import { startApp, type App } from "../app.ts";
import { ConfigError, readConfig, renderConfig } from "../config.ts";
import type { Config } from "../settings.ts";
import { banner } from "./banner.ts";
import { createLogger } from "./logger.ts";

const usageError = 2;
const failure = 1;
const shutdownMsMax = 10_000;

/** `zoneward serve`: runs until a signal ends it. */
export async function serve(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  let config: Config;
  try {
    const read = await readConfig(args, env);
    if (read.printConfig) {
      process.stdout.write(`${renderConfig(read.config)}\n`);
      return 0;
    }
    config = read.config;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(
      `zoneward: the settings have mistakes:\n${error.mistakes.map((line) => `  ${line}\n`).join("")}`,
    );
    return usageError;
  }

  const logger = createLogger(config.log_level);
  let app: App;
  try {
    app = await startApp(config, { logger });
  } catch (error) {
    process.stderr.write(
      `zoneward: cannot start: ${error instanceof Error ? error.message : String(error)}\n`,
    );
    return failure;
  }
  // Whoever reads the banner may send a signal at once.
  const signalled = nextSignal();
  process.stdout.write(banner(app, config));

  const signal = await signalled;
  logger.info({ signal }, "finishing the requests in flight");
  const deadline = setTimeout(() => process.exit(failure), shutdownMsMax);
  await app.close();
  clearTimeout(deadline);
  return 0;
}

/** The first signal; later ones are heard and change nothing: npm passes on what the terminal sends anyway. */
function nextSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, resolve);
  });
}
