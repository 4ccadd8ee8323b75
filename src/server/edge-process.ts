import { createServer, type Server } from "node:http";
import { join } from "node:path";

import type { Logger } from "pino";

import { edgeAddressesOf, originNetworksOf } from "../config/edge-settings.ts";
import type { Config } from "../config/settings.ts";
import { clientAddressesBehind } from "../wire/client-address.ts";
import { createHostCheck } from "../wire/host-header.ts";
import { findFreeAddress, listen, originOf } from "../wire/listening.ts";
import { createMetricsAccess, type MetricsAccess, createMetrics } from "../wire/metrics.ts";
import { createDnsResolver } from "../network/dns-resolver.ts";
import { SecretKeyError } from "../secrets/secret-box.ts";
import { openPostgres } from "../storage/postgres.ts";
import { createTaskRunner } from "../workers/task-runner.ts";
import { openCoreRules } from "../process/core-rules.ts";
import { ActiveZones } from "../planes/active-zones.ts";
import { ageSecondsOf, openEdge } from "../planes/edge/open-edge.ts";
import { refuseForeignFiles, createContext, createSecrets, explainFailure } from "../process/open-store.ts";
import { zoneSettingsOf } from "../planes/dns/open-name-server.ts";
import { createRulesetContext } from "../process/ruleset-context.ts";
import { Timers } from "../process/timer.ts";

/** An edge that runs without the API. */
export interface EdgeProcess {
  /** Base URL of `/healthz`, `/readyz` and `/metrics`, `http://127.0.0.1:8787`. */
  readonly probesUrl: string;
  readonly edgeHttpAddresses: readonly string[];
  readonly edgeHttpsAddresses: readonly string[];
  readonly edgeJudgeAddresses: readonly string[];
  readonly close: () => Promise<void>;
}

interface EdgeEnvironment {
  readonly logger: Logger;
  readonly now?: () => Date;
  readonly connectionWaitMs?: number;
  readonly silenceMsMax?: number;
}

/** Name of the file in the data directory. */
const snapshotFileName = "edge.snapshot";
const originConnectMs = 19_000;
const coreRulesRoundMs = 2_000;
/** After it, a silent connection to the database counts as lost; statements of an edge take milliseconds. */
const databaseSilenceMsMax = 10_000;

/**
 * Serves visitors and reverse proxies with the zones that other processes' API stored in a PostgreSQL
 * database. It writes there only security events and its own state. While the database is not available it
 * uses what it read last, even after a restart.
 */
export async function startEdgeProcess(
  given: Config,
  { logger, now = () => new Date(), connectionWaitMs, silenceMsMax = databaseSilenceMsMax }: EdgeEnvironment,
): Promise<EdgeProcess> {
  const config = listening(given);
  if (config.database === undefined) throw new Error("an edge of its own needs --database, with PostgreSQL");
  const where = await explainFailure(`listening on ${config.host}, port ${config.port}`, () =>
    findFreeAddress(config),
  );
  refuseForeignFiles(config);
  const secretBox = createSecrets(config);
  refuseWithoutKey(secretBox);
  const opened = new AsyncDisposableStack();
  try {
    const db = openPostgres(config.database, { connectionWaitMs, silenceMsMax });
    opened.defer(() => db.close());
    const metrics = createMetrics();
    const clientAddresses = clientAddressesBehind(config.trusted_proxies);
    const timers = new Timers(logger);
    const coreRules = await openCoreRules(opened, config.crs, { logger, timers, roundMs: coreRulesRoundMs });
    const context = { ...createContext(db, now), originNetworks: originNetworksOf(config) };
    const rulesetContext = createRulesetContext(context, config.vendor, coreRules?.rules);
    const { runTask, close: endWorkers } = createTaskRunner(rulesetContext, {
      inThreads: true,
      ...(coreRules !== undefined && { coreRelease: coreRules.shared }),
    });
    opened.defer(endWorkers);
    const index = new ActiveZones(db, now);
    opened.defer(() => index.stop());
    const edge = await openEdge(opened, config, {
      index,
      context: { ...rulesetContext, settings: zoneSettingsOf(config), secretBox },
      coreRules,
      runTask,
      watchVisits: undefined,
      snapshotFile: join(config.data, snapshotFileName),
      lookUpAddresses: createDnsResolver(config.resolvers).lookUpAddresses,
      clientAddresses,
      connectMs: originConnectMs,
      timers,
      logger,
      register: metrics.register,
      workerProgram: undefined,
    });
    const ready = (): object => {
      const age = edge.zones === undefined ? 0 : ageSecondsOf(edge.zones, now());
      return {
        status: edge.zones?.behindSince === undefined ? "ok" : "behind",
        snapshot_age_seconds: Math.round(age),
        zones: edge.zones?.size ?? 0,
        unread_zones: edge.zones?.unreadSize ?? 0,
      };
    };
    const mayReadMetrics = createMetricsAccess({
      networks: config.metrics_networks,
      token: config.metrics_token,
      clientAddresses,
      isHostAllowed: createHostCheck(config.allowed_hosts),
    });
    const probes = serveProbes(ready, metrics, mayReadMetrics);
    const address = await listen(probes, where);
    opened.defer(() => {
      probes.close();
      probes.closeAllConnections();
    });
    return {
      probesUrl: originOf(address),
      edgeHttpAddresses: edge.httpAddresses,
      edgeHttpsAddresses: edge.httpsAddresses,
      edgeJudgeAddresses: edge.judgeAddresses,
      close: () => {
        db.prepareToClose();
        return opened.disposeAsync();
      },
    };
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}

/** The settings, with a listener for visitors unless they name another purpose. */
function listening(config: Config): Config {
  const { http, https, judge } = edgeAddressesOf(config);
  return [...http, ...https, ...judge].length === 0 ? { ...config, edge: true } : config;
}

/** The secret key is needed to encrypt the snapshot on disk, and to decrypt the keys of certificates. */
function refuseWithoutKey(secretBox: { readonly sign: (text: string, purpose: string) => string }): void {
  try {
    secretBox.sign("", "edge");
  } catch (error) {
    if (!(error instanceof SecretKeyError)) throw error;
    throw new Error(`an edge of its own needs the secret key of the installation: ${error.message}`, {
      cause: error,
    });
  }
}

/** An edge that serves is ready, even with old data; `/readyz` reports how old. */
function serveProbes(
  ready: () => object,
  metrics: ReturnType<typeof createMetrics>,
  mayReadMetrics: MetricsAccess,
): Server {
  return createServer((request, response) => {
    const { url } = request;
    const isOfMetrics = url === "/metrics";
    if (isOfMetrics && mayReadMetrics(request) === "granted") {
      response.setHeader("content-type", metrics.contentType);
      void metrics.render().then((text) => response.end(text));
      return;
    }
    const found = url === "/healthz" ? { status: "ok" } : url === "/readyz" ? ready() : undefined;
    const [status, refused] = isOfMetrics ? [403, "forbidden"] : [404, "not found"];
    response.statusCode = found === undefined ? status : 200;
    response
      .setHeader("content-type", "application/json; charset=utf-8")
      .end(JSON.stringify(found ?? { status: refused }));
  });
}
