import { isIP } from "node:net";

import type { Api } from "../api/server-options.ts";
import { createServer } from "../api/server.ts";
import { connectionsPerAddressMaxOf, rateQuotasOf, publicUrlOf, type Config } from "../config/settings.ts";
import { errorCodes } from "../core/error-codes.ts";
import { AppError } from "../core/error.ts";
import { asksForWebSocket, gatewayPath } from "../gateway/gateway.ts";
import { mount } from "../operation/operation.ts";
import { openIncomingTransfers } from "../planes/dns/incoming-transfers.ts";
import { openNameServer } from "../planes/dns/open-name-server.ts";
import { openEdge } from "../planes/edge/open-edge.ts";
import { ActiveZones } from "../planes/active-zones.ts";
import { completeEnvironment, type Environment } from "../process/environment.ts";
import { refuseForeignFiles, explainFailure } from "../process/open-store.ts";
import { Timers } from "../process/timer.ts";
import { version } from "../process/version.ts";
import { identityOfOwner } from "../resources/authentication/authentication.ts";
import { createAuthorizer } from "../resources/authorization/authorization.ts";
import { signInLink } from "../resources/sessions/sessions.ts";
import { findOwner, type Owner } from "../resources/users/users.ts";
import { addZone, type ZoneContext } from "../resources/zones/zones.ts";
import { SecretKeyError, secretKeyNotice } from "../secrets/secret-box.ts";
import { openGateway } from "./open-gateway.ts";
import { openModules } from "./open-modules.ts";
import { operations, type OperationContext } from "./operations.ts";
import { asUnavailable } from "../storage/errors.ts";
import type { LenientHooks } from "../test-controls/lenient.ts";
import type { TestControls } from "../test-controls/test-controls.ts";
import { openTlsIdentity } from "../tls/identity.ts";
import { clientAddressesBehind } from "../wire/client-address.ts";
import { connectionClient, trackConnections } from "../wire/connections.ts";
import { createHostCheck, type HostCheck } from "../wire/host-header.ts";
import { findFreeAddress, listen, originOf, stopListening } from "../wire/listening.ts";
import { createMetricsAccess, createMetrics } from "../wire/metrics.ts";
import { answerInTurn } from "../wire/pipelining.ts";
import { trackUnreadAnswers } from "../wire/unread-answers.ts";

/** A running server. */
export interface App {
  /** Base URL of the API, `http://127.0.0.1:8787/client/v4`. */
  readonly baseUrl: string;
  /** Base URL of the JSON-RPC gateway, `http://127.0.0.1:8787/gateway`. */
  readonly gatewayUrl: string;
  /** Addresses of the name server, such as `127.0.0.1:1053`; none if it is off. */
  readonly dnsAddresses: readonly string[];
  /** Addresses of the edge for visitors; none if it is off. */
  readonly edgeHttpAddresses: readonly string[];
  readonly edgeHttpsAddresses: readonly string[];
  /** Addresses at which reverse proxies ask for verdicts on requests; none unless that is on. */
  readonly edgeJudgeAddresses: readonly string[];
  /** Networks of the gateway that a development chain in this process stands in for. */
  readonly developmentNetworks: readonly string[];
  readonly owner: Owner;
  /** URL of the dashboard; undefined if there is none. */
  readonly dashboardUrl: string | undefined;
  /** A link by which the owner sets its password, once; undefined where it has one. */
  readonly signInLink: string | undefined;
  /** Path of the certificate that clients have to trust; undefined without a local CA. */
  readonly authorityFile: string | undefined;
  /** Finishes the requests in flight, makes them durable and stops. */
  readonly close: () => Promise<void>;
}

const basePath = "/client/v4";
const originConnectMs = 19_000;

/**
 * Opens the modules, mounts their operations and listens. The only place where modules and listeners are put together.
 */
export async function startApp(config: Config, given: Environment): Promise<App> {
  const environment = completeEnvironment(given);
  const { logger } = environment;
  refuseForeignFiles(config);
  const listening = `listening on ${config.host}, port ${config.port}`;
  const where = await explainFailure(listening, () => findFreeAddress(config));
  const opened = new AsyncDisposableStack();
  try {
    const controls = await loadTestControls(config, environment.now);
    const timers = new Timers(logger, controls?.gate.share);
    const tls = await openTlsIdentity(config, environment.now());
    opened.defer(() => tls?.discard());
    const modules = await openModules(opened, config, { environment, timers, controls });
    const { authenticate, lookUpAddresses, wakeTimers } = modules;
    const { signInToken, ...owner } = modules.firstRun;
    const metrics = createMetrics();
    const clientAddresses = clientAddressesBehind(config.trusted_proxies);
    const connections = trackConnections({
      connectionsMax: config.connections_max,
      perClientMax: connectionsPerAddressMaxOf(config),
      clientOf: connectionClient(clientAddresses),
      anonymousBodyMsMax: environment.anonymousBodyMsMax,
    });
    const isHostAllowed = createHostCheck([...config.allowed_hosts, publicUrlOf(config).hostname]);
    const unread = trackUnreadAnswers({ msMax: environment.unreadMsMax, bytesMax: config.unread_bytes_max });
    opened.defer(unread.stop);
    const gateway = openGateway(config, {
      authenticate,
      onAuthorized: connections.admit,
      asUnavailable,
      now: modules.context.now,
      logger,
      metrics,
      clientAddresses,
      isHostAllowed,
      keepUnread: unread.keep,
    });
    opened.defer(() => gateway.close());
    controls?.state.onRestored(() => {
      modules.forget();
      gateway.forgetCalls();
      wakeTimers();
    });
    const context: OperationContext = { ...modules.context, gatewayNetworks: gateway.networks };
    const api: Api = {
      basePath,
      routes: operations
        .filter(({ isAtRoot }) => config.dashboard === "on" || !isAtRoot)
        .map((operation) => mount(operation, context)),
      authenticate,
      authorize: createAuthorizer(context.db, config.vendor),
    };
    const testControls = controls?.serve({
      controlled: api,
      lenientHooks: lenientHooks(context, owner.accountId, isHostAllowed),
      gatewayPath,
      clientAddresses,
      version: version(),
      timedWork: timers,
    });
    const server = createServer({
      ...(testControls?.controlled ?? api),
      version: version(),
      onAuthorized: connections.admit,
      asUnavailable: (error) => asUnavailable(error) ?? withoutSecretKey(error),
      ping: context.db.ping,
      clientAddresses,
      mayReadMetrics: createMetricsAccess({
        networks: config.metrics_networks,
        token: config.metrics_token,
        clientAddresses,
        isHostAllowed,
      }),
      isOwner: async ({ user }) => user !== undefined && user.id === (await findOwner(context.db.read))?.id,
      rateQuotas: rateQuotasOf(config),
      now: context.now,
      tls,
      publicUrl: config.public_url === undefined ? undefined : new URL(config.public_url),
      dashboardDirectory: config.dashboard === "on" ? environment.dashboardDirectory : undefined,
      logger,
      metrics,
      mayUpgrade: asksForWebSocket,
      testControls,
    });
    gateway.mount(server, testControls?.watchWebSockets);
    testControls?.watch(server);
    answerInTurn(server);
    unread.watch(server);
    const closeInTime = connections.watch(server);
    let closing: Promise<void> | undefined;
    const close = (): Promise<void> =>
      (closing ??= closeInTime(async () => {
        await gateway.closeWebSockets();
        await stopListening(server);
      }));
    opened.defer(close);
    opened.defer(() => testControls?.close());
    const index = new ActiveZones(context.db, context.now);
    opened.defer(() => index.stop());
    const dnsAddresses = await openNameServer(opened, config, {
      context,
      index,
      notifiedZones: openIncomingTransfers(opened, config, context, { timers, logger }),
      lookUpAddresses,
      watchQuestions: testControls?.watchQuestions,
      logger,
      register: metrics.register,
      onRestored: (listener) => controls?.state.onRestored(listener),
      workerProgram: environment.dnsWorkerProgram,
    });
    const address = await explainFailure(listening, () => listen(server, where));
    // The API answers by now. The edge listens once it knows the names of all zones.
    const edge = await openEdge(opened, config, {
      context,
      index,
      coreRules: modules.coreRules,
      runTask: context.runTask,
      lookUpAddresses,
      clientAddresses,
      connectMs: environment.originConnectMs ?? originConnectMs,
      watchVisits: testControls?.watchVisits,
      timers,
      logger,
      register: metrics.register,
      workerProgram: environment.edgeWorkerProgram,
    });
    // First of all: the API finishes its requests while the edge finishes those of visitors.
    opened.defer(() => void close().catch(() => undefined));

    // Work that an earlier process left unfinished continues at once.
    wakeTimers();

    // Certificates are issued to names.
    const host = isIP(config.host) === 0 ? config.host : address.host;
    const { origin } = new URL(originOf({ ...address, host }, tls === undefined ? "http" : "https"));
    const publicUrl = new URL(config.public_url ?? origin).href;
    return {
      baseUrl: origin + basePath,
      gatewayUrl: origin + gatewayPath,
      dnsAddresses,
      edgeHttpAddresses: edge.httpAddresses,
      edgeHttpsAddresses: edge.httpsAddresses,
      edgeJudgeAddresses: edge.judgeAddresses,
      developmentNetworks: gateway.developmentNetworks,
      owner,
      dashboardUrl: config.dashboard === "on" ? publicUrl : undefined,
      signInLink: signInToken === undefined ? undefined : signInLink(publicUrl, signInToken),
      authorityFile: tls?.authorityFile,
      close: () => {
        context.db.prepareToClose();
        return opened.disposeAsync();
      },
    };
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}

/** 503 code 10504 where private keys cannot be kept or read. */
function withoutSecretKey(error: unknown): AppError | undefined {
  if (!(error instanceof SecretKeyError)) return undefined;
  return new AppError("unavailable", errorCodes.server.secretKeyUnavailable, secretKeyNotice, {
    cause: error,
  });
}

/** Makes the hooks that the test controls need for their lenient profile. */
function lenientHooks(context: ZoneContext, accountId: string, isHostAllowed: HostCheck): LenientHooks {
  return {
    isHostAllowed,
    owner: () => identityOfOwner(context.db),
    addZone: async ({ id, name }) => {
      await context.db.transaction(async (tx, publication) => {
        const given = id === undefined ? [] : [id];
        const newId = (): string => given.pop() ?? context.newId();
        const zone = await addZone({ ...context, newId }, tx, {
          name,
          type: "full",
          accountId,
          status: "active",
        });
        publication.zone(zone.id);
      });
    },
  };
}

/** The test controls as the settings describe them; undefined, and not loaded, where they are off. */
async function loadTestControls(config: Config, now: () => Date): Promise<TestControls | undefined> {
  if (!config.test_controls) return undefined;
  const { TestControls: Loaded } = await import("../test-controls/test-controls.ts");
  return new Loaded({
    now,
    clockStart: config.clock_start === undefined ? undefined : new Date(config.clock_start),
    idsSeed: config.ids_seed,
    profile: { name: config.test_profile, seed: config.test_profile_seed },
    token: config.test_controls_token,
  });
}
