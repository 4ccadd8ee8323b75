import { runToEnd } from "./command-line.ts";
import { createLogger } from "./logger.ts";
import { closeBySignal, keepNewObjectsYoung, nextSignal } from "./until-signal.ts";
import { readConfig } from "../config/config.ts";
import { explainFailure } from "../process/open-store.ts";
import { startEdgeProcess } from "../server/edge-process.ts";

/** `zoneward edge`: serves visitors, without the API, until a signal ends it. */
export async function edge(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  keepNewObjectsYoung();
  return runToEnd(async () => {
    const { config } = await readConfig(args, env);
    const logger = createLogger(config.log_level);
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
