import { lookup } from "node:dns/promises";
import { isIP } from "node:net";

import type { Logger } from "pino";

import { createDnsResolver } from "./dns-resolver.ts";
import { prepareStore } from "./first-run.ts";
import { trackConnections } from "./http/connections.ts";
import { createServer } from "./http/server.ts";
import { createContext, openStore, orSay } from "./open-store.ts";
import { pruneAuditLogs } from "./resources/audit-logs/audit-logs.ts";
import { createAuthenticator } from "./resources/authentication/authentication.ts";
import { createAuthorizer } from "./resources/authorization/authorization.ts";
import type { FilterCheck } from "./resources/firewall-rules/filters.ts";
import { saveTokenUse, type TokenContext } from "./resources/tokens/tokens.ts";
import type { Owner } from "./resources/users/users.ts";
import { refuseHeldName } from "./resources/zone-holds/zone-holds.ts";
import { advanceZones } from "./resources/zones/activation.ts";
import type { ZoneContext } from "./resources/zones/zones.ts";
import { mountedRoutes } from "./routes.ts";
import { authFailureLimitOf, rateQuotasOf, type Config } from "./settings.ts";
import { asUnavailable } from "./storage/errors.ts";
import { openTlsIdentity } from "./tls/identity.ts";
import { version } from "./version.ts";

/** A running server. */
export interface App {
  /** Base URL of the API, `http://127.0.0.1:8787/client/v4`. */
  readonly baseUrl: string;
  readonly owner: Owner;
  /** Path of the certificate that clients have to trust; undefined without a local CA. */
  readonly authorityFile: string | undefined;
  /** Finishes the requests in flight, makes them durable and stops. */
  readonly close: () => Promise<void>;
}

/** What a test fixes. */
export interface Environment {
  readonly logger: Logger;
  readonly now?: () => Date;
  readonly newId?: () => string;
  /** How long a write waits for another process that holds the SQLite file. */
  readonly lockWaitMs?: number;
  /** Between two rounds of looking up who serves the zones. */
  readonly activationRoundMs?: number;
  /** Between two rounds of deleting old entries of the audit log. */
  readonly auditLogRoundMs?: number;
}

const basePath = "/client/v4";
const activationRoundMsDefault = 5_000;
const auditLogRoundMsDefault = 10_000;
const tokenUseRoundMs = 10_000;

/** Opens the store, mounts the rooms and listens. The only place where they are put together. */
export async function startApp(config: Config, environment: Environment): Promise<App> {
  const { logger, now = () => new Date(), activationRoundMs = activationRoundMsDefault } = environment;
  const opened = new AsyncDisposableStack();
  try {
    const tls = await openTlsIdentity(config, now());
    opened.defer(() => tls?.discard());
    const db = await openStore(config, environment.lockWaitMs);
    opened.defer(() => db.close());
    const context = createContext(db, now, environment.newId);
    const resolver = createDnsResolver(config.resolvers);
    const zoneContext: ZoneContext = {
      ...context,
      settings: {
        vendor: config.vendor,
        nameServers: config.name_servers,
        defaultPlan: config.default_plan,
        activation: config.activation,
      },
      delegation: resolver.delegation,
      refuseHeldName: (tx, name, accountId) => refuseHeldName(context, tx, name, accountId),
    };
    const tokenUse = new Map<string, Date>();
    const { authenticate, forgetCallers } = createAuthenticator({
      db,
      now,
      failuresMax: authFailureLimitOf(config),
      tokenUsed: (tokenId) => void tokenUse.set(tokenId, now()),
    });
    const tokenContext: TokenContext = {
      ...context,
      tokenSettings: {
        vendor: config.vendor,
        userTokenQuota: config.user_token_quota,
        accountTokenQuota: config.account_token_quota,
      },
      forgetCallers,
    };
    const owner = await prepareStore({ ...zoneContext, ...tokenContext }, config, logger);
    const server = createServer({
      basePath,
      version: version(),
      routes: mountedRoutes({
        ...zoneContext,
        ...tokenContext,
        loadFilterCheck: filterCheckLoader(),
        lookUpRecords: resolver.lookUpRecords,
        edgeAddresses: config.edge_addresses,
      }),
      authenticate,
      authorize: createAuthorizer(db, config.vendor),
      asUnavailable,
      ping: db.ping,
      trustedProxies: config.trusted_proxies,
      rateQuotas: rateQuotasOf(config),
      now,
      tls,
      logger,
    });
    const stopActivation = repeat(activationRoundMs, () => advanceZones(zoneContext), logger);
    opened.defer(() => {
      const stopped = stopActivation();
      resolver.close();
      return stopped;
    });
    const stopSavingTokenUse = repeat(tokenUseRoundMs, () => saveTokenUse(context, tokenUse), logger);
    opened.defer(async () => {
      await stopSavingTokenUse();
      await saveTokenUse(context, tokenUse);
    });
    const stopPruning = repeat(
      environment.auditLogRoundMs ?? auditLogRoundMsDefault,
      () => pruneAuditLogs(context, config.audit_log_days),
      logger,
    );
    opened.defer(stopPruning);
    const finishRequests = trackConnections(server.server);
    opened.defer(() => finishRequests(() => server.close()));
    const address = await orSay(`listening on ${config.host}, port ${config.port}`, async () => {
      // Given `localhost`, Fastify would listen on more addresses, and not wait for their requests at the end.
      const { address: host } = await lookup(config.host, { order: "ipv4first" });
      return server.listen({ host, port: config.port });
    });

    return {
      baseUrl: publicAddress(address, config.host) + basePath,
      owner,
      authorityFile: tls?.authorityFile,
      close: () => opened.disposeAsync(),
    };
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}

/** The address with the host's name where it was given by name: certificates are issued to names. */
function publicAddress(address: string, host: string): string {
  const url = new URL(address);
  if (isIP(host) === 0) url.hostname = host;
  return url.origin;
}

/** Loads the expression language with the first filter, and once: what it compiles is in one memory. */
function filterCheckLoader(): () => Promise<FilterCheck> {
  let loading: Promise<FilterCheck> | undefined;
  const load = async (): Promise<FilterCheck> => (await import("./filter-check.ts")).createFilterCheck();
  return async () => (loading ??= load());
}

/** Runs `round` again and again, `ms` after the last one ended. The answer ends it and waits for the last. */
function repeat(ms: number, round: () => Promise<void>, logger: Logger): () => Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  let stopped = false;
  const run = async (): Promise<void> => {
    try {
      await round();
    } catch (error) {
      if (!stopped) logger.error({ err: error }, "a timer failed");
    }
    if (!stopped) timer = setTimeout(start, ms).unref();
  };
  const start = (): void => void (running = run());
  timer = setTimeout(start, ms).unref();
  return () => {
    stopped = true;
    clearTimeout(timer);
    return running;
  };
}
