import { setTimeout as delay } from "node:timers/promises";

import { edgeRangesOf } from "../config/dns-settings.ts";
import { originNetworksOf } from "../config/edge-settings.ts";
import { issuanceDelayMsOf, authFailureLimitOf, newZoneSettingsOn, type Config } from "../config/settings.ts";
import { createDnsResolver, type DnsResolver } from "../network/dns-resolver.ts";
import type { AsyncDelay } from "../operation/context.ts";
import { ownAddressesOf, zoneSettingsOf } from "../planes/dns/open-name-server.ts";
import { openCoreRules, type CoreRulesDirectory } from "../process/core-rules.ts";
import type { CompleteEnvironment } from "../process/environment.ts";
import { createContext, openStore, tokenSettingsOf } from "../process/open-store.ts";
import { createRulesetContext } from "../process/ruleset-context.ts";
import type { Timers } from "../process/timer.ts";
import { createAuthenticator } from "../resources/authentication/authentication.ts";
import { addUniversalPack } from "../resources/certificate-packs/certificate-packs.ts";
import { forgetContents } from "../resources/lists/contents.ts";
import { advanceListOperations } from "../resources/lists/list-operations.ts";
import { noteTokenUse, saveTokenUse, type TokenUse } from "../resources/tokens/tokens.ts";
import { isHeldName } from "../resources/zone-holds/zone-holds.ts";
import { presetZoneSettings } from "../resources/zone-settings/zone-settings.ts";
import type { ZoneContext } from "../resources/zones/zones.ts";
import type { SeedContext } from "../seed/seed.ts";
import { prepareStore, type FirstRun } from "./first-run.ts";
import { startIssuance } from "./issuance.ts";
import type { OperationContext } from "./operations.ts";
import { startBrowserSessions, singleSignOnOf } from "./sign-in.ts";
import { startTimers } from "./start-timers.ts";
import type { TestControls } from "../test-controls/test-controls.ts";
import { createTaskRunner } from "../workers/task-runner.ts";

const listRoundMs = 5_000;

/** The modules on their store, with nothing that listens. */
interface Modules {
  /** The context of operations, without what the gateway adds. */
  readonly context: Omit<OperationContext, "gatewayNetworks">;
  readonly firstRun: FirstRun;
  readonly authenticate: ReturnType<typeof createAuthenticator>["authenticate"];
  readonly lookUpAddresses: DnsResolver["lookUpAddresses"];
  /** Undefined without a release of the Core Rule Set. */
  readonly coreRules: CoreRulesDirectory | undefined;
  /** Makes the timers of issuance and of list operations begin a round at once. */
  readonly wakeTimers: () => void;
  /** Drops what is cached of the store, after its content was replaced. */
  readonly forget: () => void;
}

interface ServerParts {
  readonly environment: CompleteEnvironment;
  readonly timers: Timers;
  readonly controls: TestControls | undefined;
}

/**
 * Opens the store, fills it at its first start, and starts the timers of the modules; all of them stop with `opened`.
 */
export async function openModules(
  opened: AsyncDisposableStack,
  config: Config,
  { environment, timers, controls }: ServerParts,
): Promise<Modules> {
  const { logger } = environment;
  const now = controls?.clock.now ?? environment.now;
  const db = await openStore(config, environment);
  opened.defer(() => db.close());
  const context = {
    ...createContext(db, now, controls?.ids ?? { newId: environment.newId }),
    originNetworks: originNetworksOf(config),
  };
  const { secretBox, timer: issuanceTimer } = startIssuance(context, config, {
    logger,
    timers,
    roundMs: environment.issuanceRoundMs,
  });
  opened.defer(issuanceTimer.stop);
  const issuanceDelayMs = issuanceDelayMsOf(config);
  const resolver = createDnsResolver(config.resolvers, environment.lookUpMs);
  const zoneContext: ZoneContext = {
    ...context,
    settings: zoneSettingsOf(config),
    delegation: resolver.delegation,
    ownAddresses: () => ownAddressesOf(config, resolver.lookUpAddresses),
    isHeldName: (tx, name, accountId) => isHeldName(zoneContext, tx, name, accountId),
    presetSettings: (tx, zone) =>
      presetZoneSettings(context, tx, zone, newZoneSettingsOn(config.new_zone_settings, zone.plan)),
    zoneActivated: (tx, activated) => addUniversalPack({ ...context, issuanceDelayMs }, tx, activated),
    afterActivation: issuanceTimer.wake,
  };
  const tokenUse: TokenUse = new Map();
  const {
    sessions,
    save: saveSessions,
    stop: stopSessions,
  } = startBrowserSessions(context, config, timers, environment.sessionRoundMs);
  opened.defer(stopSessions);
  const { authenticate, forgetAll } = createAuthenticator({
    db,
    now,
    failuresMax: authFailureLimitOf(config),
    tokenUsed: (tokenId) => noteTokenUse(tokenUse, tokenId, { usedOn: now(), requests: 1 }),
    ...sessions,
  });
  const coreRules = await openCoreRules(opened, config.crs, {
    logger,
    timers,
    roundMs: environment.coreRulesRoundMs,
  });
  const rulesetContext = createRulesetContext(context, config.vendor, coreRules?.rules);
  const { runTask, close: endWorkers } = createTaskRunner(rulesetContext, {
    // Threads generate their own ids, which `ids_seed` cannot make reproducible.
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
  const seedContext: SeedContext = {
    ...zoneContext,
    ...rulesetContext,
    tokenSettings: tokenSettingsOf(config),
    certificatePackQuota: config.certificate_pack_quota,
    issuanceDelayMs,
  };
  const firstRun = await prepareStore(seedContext, config, logger);
  await controls?.state.begin({
    images: await db.images(),
    openSecret: secretBox.open,
    adoptOwner: async () => void (await prepareStore(seedContext, { ...config, seed: undefined }, logger)),
    storeUse: async () => {
      await saveTokenUse(context, tokenUse);
      await saveSessions();
    },
  });
  startTimers(opened, zoneContext, { config, timers, roundsMs: environment, resolver, tokenUse });
  return {
    context: {
      ...seedContext,
      ...rulesetContext,
      ...sessions,
      runTask,
      wakeIssuance: issuanceTimer.wake,
      wakeListOperations: listTimer.wake,
      secretBox,
      vendor: config.vendor,
      singleSignOn: singleSignOnOf(config, firstRun.accountId),
      certificateIssuer: config.certificate_issuer,
      lookUpRecords: resolver.lookUpRecords,
      takeTime: takeTimeOf(config),
      createAccounts: config.create_accounts,
      inviteLinks: config.invite_links,
      edgeAddresses: edgeRangesOf(config),
      jdCloudAddresses: config.jdcloud_addresses,
    },
    firstRun,
    authenticate,
    lookUpAddresses: resolver.lookUpAddresses,
    coreRules,
    wakeTimers: () => {
      issuanceTimer.wake();
      listTimer.wake();
    },
    forget: () => {
      forgetAll();
      tokenUse.clear();
      sessions.sessionUse.clear();
      sessions.passwordGuard.forget();
      forgetContents(db.read);
    },
  };
}

/** Bounds the wait, so that clients and proxies do not time out. */
const secondsMax = 10;

/** Waits by the clock of the machine even if tests have frozen the server's, as a client waits in real time. */
function takeTimeOf({ async_delay }: Pick<Config, "async_delay">): AsyncDelay["takeTime"] {
  if (async_delay === 0) return () => Promise.resolve();
  const ms = Math.min(async_delay, secondsMax) * 1_000;
  return () => delay(ms, undefined, { ref: false });
}
