import { createLogger } from "../cli/logger.ts";
import { readConfig } from "../config/config.ts";
import { startApp } from "../server/app.ts";

export type ServerEnvironment = Readonly<Record<string, string>>;

/** The URLs and addresses of a server. */
export interface ServerAddress {
  readonly baseUrl: string;
  readonly gatewayUrl: string;
  readonly dnsAddresses: readonly string[];
  readonly accountId: string;
}

export interface RunningServer extends ServerAddress {
  readonly stop: () => Promise<void>;
}

/** Starts a server in this process. Throws `ConfigError` for settings with errors. */
export async function runServer(environment: ServerEnvironment): Promise<RunningServer> {
  const { config } = await readConfig([], environment);
  const { baseUrl, gatewayUrl, dnsAddresses, owner, close } = await startApp(config, {
    logger: createLogger(config.log_level),
  });
  return { baseUrl, gatewayUrl, dnsAddresses, accountId: owner.accountId, stop: close };
}
