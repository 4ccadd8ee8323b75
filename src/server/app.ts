import { isIP } from "node:net";

import { startBrowserSessions } from "./browser-sessions.ts";
import { errorCodes } from "../core/error-codes.ts";
import { AppError } from "../core/error.ts";
import { createDnsResolver } from "../network/dns-resolver.ts";
import { defaults, type Environment } from "./environment.ts";
import { prepareStore } from "./first-run.ts";
import { asksForWebSocket, gatewayPath } from "../gateway/gateway.ts";
import { clientAddressesBehind } from "../http/client-address.ts";
import { connectionClient, trackConnections } from "../http/connections.ts";
import { createHostCheck } from "../http/host-header.ts";
import { findFreeAddress } from "../http/listening.ts";
import { createMetrics } from "../http/metrics.ts";
import { answerInTurn } from "../http/pipelining.ts";
import { createServer } from "../http/server.ts";
import type { Api } from "../http/server-options.ts";
import { trackUnreadAnswers } from "../http/unread-answers.ts";
import { startIssuance } from "./issuance.ts";
import { lenientStand } from "./lenient-stand.ts";
import { openCoreRules } from "./core-rules.ts";
import { openEdge } from "./open-edge.ts";
import { openGateway } from "./open-gateway.ts";
import { loadTestControls } from "./load-test-controls.ts";
import { openIncomingTransfers } from "./open-incoming-transfers.ts";
import { openNameServer, zoneSettingsOf } from "./open-name-server.ts";
import { createContext, openStore, explainFailure, tokenSettingsOf } from "./open-store.ts";
import { createAuthenticator } from "../resources/authentication/authentication.ts";
import { createAuthorizer } from "../resources/authorization/authorization.ts";
import {
  addUniversalPack,
  type CertificatePackContext,
} from "../resources/certificate-packs/certificate-packs.ts";
import { advanceListOperations } from "../resources/lists/list-operations.ts";
import { forgetContents } from "../resources/lists/contents.ts";
import { signInLink } from "../resources/sessions/sessions.ts";
import type { TokenContext } from "../resources/tokens/tokens.ts";
import type { Owner } from "../resources/users/users.ts";
import { presetZoneSettings } from "../resources/zone-settings/zone-settings.ts";
import { refuseHeldName } from "../resources/zone-holds/zone-holds.ts";
import type { ZoneContext } from "../resources/zones/zones.ts";
import { operations, type OperationContext } from "../operations.ts";
import { mount } from "../operation/operation.ts";
import { createRulesetContext } from "./ruleset-context.ts";
import { SecretKeyError, secretKeyNotice } from "../secrets/secret-box.ts";
import { issuanceDelayMsOf } from "../config/async-delay.ts";
import { newZoneSettingsOn } from "../config/new-zone-settings.ts";
import { edgeRangesOf } from "../config/dns-settings.ts";
import { originNetworksOf } from "../config/edge-settings.ts";
import { authFailureLimitOf, connectionsPerAddressMaxOf, rateQuotasOf } from "../config/limit-settings.ts";
import { publicUrlOf, type Config } from "../config/settings.ts";
import { asUnavailable } from "../storage/errors.ts";
import { singleSignOnOf } from "./single-sign-on.ts";
import { startTimers } from "./start-timers.ts";
import { takeTimeOf } from "./take-time.ts";
import { Timers } from "./timer.ts";
import { openTlsIdentity } from "../tls/identity.ts";
import { version } from "./version.ts";
import { createTaskRunner } from "../workers/task-runner.ts";

/** A running server. */
export interface App {
  /** Base URL of the API, `http://127.0.0.1:8787/client/v4`. */
  readonly baseUrl: string;
  /** Base URL of the JSON-RPC gateway, `http://127.0.0.1:8787/gateway`. */
  readonly gatewayUrl: string;
  /** Where the name server answers, `127.0.0.1:1053`; nowhere if it is off. */
  readonly dnsAddresses: readonly string[];
  /** Where the edge serves visitors; nowhere if it is off. */
  readonly edgeHttpAddresses: readonly string[];
  readonly edgeHttpsAddresses: readonly string[];
  /** Where proxies ask what rules make of a request; nowhere unless that is on. */
  readonly edgeJudgeAddresses: readonly string[];
  /** Networks of the gateway that a development chain in this process stands in for. */
  readonly developmentNetworks: readonly string[];
  readonly owner: Owner;
  /** URL of the dashboard; undefined if there is none. */
  readonly dashboardUrl: string | undefined;
  /** By which the owner sets its password, once; undefined where it has one. */
  readonly signInLink: string | undefined;
  /** Path of the certificate that clients have to trust; undefined without a local CA. */
  readonly authorityFile: string | undefined;
  /** Finishes the requests in flight, makes them durable and stops. */
  readonly close: () => Promise<void>;
}

const basePath = "/client/v4";
const listRoundMs = 5_000;
const originConnectMs = 19_000;

/** Opens the store, mounts the modules and listens. The only place where they are put together. */
export async function startApp(config: Config, given: Environment): Promise<App> {
  const environment = { ...defaults, ...given };
  const { logger, issuanceRoundMs, sessionRoundMs, unreadMsMax, anonymousBodyMsMax } = environment;
  const listening = `listening on ${config.host}, port ${config.port}`;
  const where = await explainFailure(listening, () => findFreeAddress(config));
  const opened = new AsyncDisposableStack();
  try {
    const controls = await loadTestControls(config, environment.now);
    const now = controls?.clock.now ?? environment.now;
    const timers = new Timers(logger, controls?.gate.share);
    const tls = await openTlsIdentity(config, environment.now());
    opened.defer(() => tls?.discard());
    const db = await openStore(config, environment.lockWaitMs, environment.connectionWaitMs);
    opened.defer(() => db.close());
    const originNetworks = originNetworksOf(config);
    const context = {
      ...createContext(db, now, controls?.ids ?? { newId: environment.newId }),
      originNetworks,
    };
    const issuanceDelayMs = issuanceDelayMsOf(config);
    const { secretBox, timer: issuanceTimer } = startIssuance(context, config, {
      logger,
      timers,
      roundMs: issuanceRoundMs,
    });
    opened.defer(issuanceTimer.stop);
    const resolver = createDnsResolver(config.resolvers, environment.lookUpMs);
    const zoneContext: ZoneContext = {
      ...context,
      settings: zoneSettingsOf(config),
      delegation: resolver.delegation,
      refuseHeldName: (tx, name, accountId) => refuseHeldName(context, tx, name, accountId),
      presetSettings: (tx, zone) =>
        presetZoneSettings(context, tx, zone, newZoneSettingsOn(config.new_zone_settings, zone.plan)),
      zoneActivated: (tx, activated) => addUniversalPack({ ...context, issuanceDelayMs }, tx, activated),
      afterActivation: issuanceTimer.wake,
    };
    const tokenUse = new Map<string, Date>();
    const { sessions, stop: stopSessions } = startBrowserSessions(context, config, timers, sessionRoundMs);
    opened.defer(stopSessions);
    const { authenticate, forgetCallers, forgetAll } = createAuthenticator({
      db,
      now,
      failuresMax: authFailureLimitOf(config),
      tokenUsed: (tokenId) => void tokenUse.set(tokenId, now()),
      ...sessions,
    });
    const tokenContext: TokenContext = {
      ...context,
      tokenSettings: tokenSettingsOf(config),
      forgetCallers,
    };
    const coreRules = await openCoreRules(opened, config.crs, {
      logger,
      timers,
      roundMs: environment.coreRulesRoundMs,
    });
    const rulesetContext = createRulesetContext(context, config.vendor, coreRules?.rules);
    const { runTask, close: endWorkers } = createTaskRunner(rulesetContext, {
      // Threads make ids of their own.
      inThreads: config.ids_seed === undefined,
      program: environment.taskWorkerProgram,
      ...(coreRules !== undefined && { coreRelease: coreRules.shared }),
    });
    opened.defer(endWorkers);
    const listRound = () => advanceListOperations({ ...context, runTask });
    const listTimer = timers.repeat("list operations", listRoundMs, () =>
      db.runAlone("list operations", listRound),
    );
    opened.defer(listTimer.stop);
    const certificatePackContext: CertificatePackContext = {
      ...context,
      certificatePackQuota: config.certificate_pack_quota,
      issuanceDelayMs,
      wakeIssuance: issuanceTimer.wake,
    };
    const seedContext = { ...zoneContext, ...tokenContext, ...rulesetContext, ...certificatePackContext };
    const { signInToken, ...owner } = await prepareStore(seedContext, config, logger);
    await controls?.state.begin({
      images: await db.images(),
      openSecret: secretBox.open,
      adoptOwner: async () => void (await prepareStore(seedContext, { ...config, seed: undefined }, logger)),
    });
    const metrics = createMetrics();
    const clientAddresses = clientAddressesBehind(config.trusted_proxies);
    const connections = trackConnections({
      connectionsMax: config.connections_max,
      perClientMax: connectionsPerAddressMaxOf(config),
      clientOf: connectionClient(clientAddresses),
      anonymousBodyMsMax,
    });
    const isHostAllowed = createHostCheck([...config.allowed_hosts, publicUrlOf(config).hostname]);
    const unread = trackUnreadAnswers({ msMax: unreadMsMax, bytesMax: config.unread_bytes_max });
    opened.defer(unread.stop);
    const gateway = openGateway(config, {
      authenticate,
      onAuthorized: connections.admit,
      asUnavailable,
      now,
      logger,
      metrics,
      clientAddresses,
      isHostAllowed,
      keepUnread: unread.keep,
    });
    opened.defer(() => gateway.close());
    controls?.state.onRestored(() => {
      forgetAll();
      tokenUse.clear();
      sessions.sessionUse.clear();
      sessions.passwordGuard.forget();
      forgetContents(db.read);
      gateway.forgetCalls();
      issuanceTimer.wake();
      listTimer.wake();
    });
    const operationContext: OperationContext = {
      ...zoneContext,
      ...tokenContext,
      ...sessions,
      ...rulesetContext,
      ...certificatePackContext,
      runTask,
      wakeListOperations: listTimer.wake,
      secretBox,
      vendor: config.vendor,
      singleSignOn: singleSignOnOf(config, owner.accountId),
      certificateIssuer: config.certificate_issuer,
      lookUpRecords: resolver.lookUpRecords,
      takeTime: takeTimeOf(config),
      createAccounts: config.create_accounts,
      inviteLinks: config.invite_links,
      edgeAddresses: edgeRangesOf(config),
      jdCloudAddresses: config.jdcloud_addresses,
      gatewayNetworks: gateway.networks,
    };
    const api: Api = {
      basePath,
      routes: operations
        .filter(({ isAtRoot }) => config.dashboard === "on" || !isAtRoot)
        .map((operation) => mount(operation, operationContext)),
      authenticate,
      authorize: createAuthorizer(db, config.vendor),
    };
    const testControls = controls?.serve({
      controlled: api,
      stand: lenientStand(zoneContext, owner.accountId),
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
      ping: db.ping,
      clientAddresses,
      isHostAllowed,
      rateQuotas: rateQuotasOf(config),
      now,
      tls,
      publicUrl: config.public_url === undefined ? undefined : new URL(config.public_url),
      dashboardDirectory: config.dashboard === "on" ? environment.dashboardDirectory : undefined,
      logger,
      metrics,
      mayUpgrade: asksForWebSocket,
      testControls,
    });
    gateway.mount(server.server);
    testControls?.watch(server.server);
    answerInTurn(server.server);
    unread.watch(server.server);
    startTimers(opened, zoneContext, { config, timers, roundsMs: environment, resolver, tokenUse });
    const finishRequests = connections.watch(server.server);
    opened.defer(() => finishRequests(() => server.close()));
    opened.defer(() => gateway.closeWebSockets());
    opened.defer(() => testControls?.close());
    const transferContext = { ...zoneContext, secretBox };
    const dnsAddresses = await openNameServer(opened, config, {
      context: transferContext,
      notifiedZones: openIncomingTransfers(opened, config, transferContext, { timers, logger }),
      lookUpAddresses: resolver.lookUpAddresses,
      watchQuestions: testControls?.watchQuestions,
      logger,
      register: metrics.register,
      onRestored: (listener) => controls?.state.onRestored(listener),
      workerProgram: environment.dnsWorkerProgram,
    });
    const edge = await openEdge(opened, config, {
      context: { ...rulesetContext, secretBox },
      onCoreRulesChange: (listener) => coreRules?.onChange(listener),
      runTask,
      lookUpAddresses: resolver.lookUpAddresses,
      clientAddresses,
      connectMs: environment.originConnectMs ?? originConnectMs,
      watchVisit: testControls?.watchVisit,
      timers,
      logger,
      register: metrics.register,
    });
    const address = await explainFailure(listening, () => server.listen(where));

    // What was cut short by the end of an earlier process goes on at once.
    issuanceTimer.wake();
    listTimer.wake();

    const origin = publicAddress(address, config.host);
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
      close: () => opened.disposeAsync(),
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

/** The address with the host's name where it was given by name: certificates are issued to names. */
function publicAddress(address: string, host: string): string {
  const url = new URL(address);
  if (isIP(host) === 0) url.hostname = host;
  return url.origin;
}
