import { randomBytes } from "node:crypto";
import { createServer } from "node:net";

import type { Logger } from "pino";
import { Gauge, type Registry } from "prom-client";

import { edgeAddressesOf } from "../../config/edge-settings.ts";
import type { Config } from "../../config/settings.ts";
import type { RunningEdge } from "../../edge/edge.ts";
import type { Counted } from "../../edge/rules/rate-counters.ts";
import type { LookUpAddresses } from "../../edge/zones/hosts.ts";
import type { ClientAddresses } from "../../wire/client-address.ts";
import { listen, stopListening, type ListeningAddress } from "../../wire/listening.ts";
import type { TaskRunner } from "../../operation/task.ts";
import type { TaskContext } from "../../workers/serve-tasks.ts";
import type { Traffic } from "../../test-controls/traffic.ts";
import type { CoreRulesDirectory } from "../../process/core-rules.ts";
import { ownChallengeKey } from "./challenge-keys.ts";
import type { ServedEdgeZones } from "./edge-zones.ts";
import type { EdgeZoneContext } from "./edge-zone-reader.ts";
import type { ActiveZones } from "../active-zones.ts";
import { explainFailure, secretKeySourceOf } from "../../process/open-store.ts";
import { zoneSettingsOf } from "../dns/open-name-server.ts";
import { startEdgeReports } from "./edge-reports.ts";
import type { Timers } from "../../process/timer.ts";

interface EdgeContext {
  readonly context: EdgeZoneContext;
  readonly index: ActiveZones;
  readonly coreRules: CoreRulesDirectory | undefined;
  readonly runTask: TaskRunner<TaskContext>["runTask"];
  /** The file with what is served if the store is not available at the start. */
  readonly snapshotFile?: string;
  readonly lookUpAddresses: LookUpAddresses;
  readonly clientAddresses: ClientAddresses;
  readonly connectMs: number;
  /** Undefined where the test controls are off. */
  readonly watchVisits: Traffic["watchVisits"] | undefined;
  readonly timers: Timers;
  readonly logger: Logger;
  readonly register: Registry;
  /** The program of each further thread. */
  readonly workerProgram: URL | undefined;
}

interface OpenEdge extends Pick<RunningEdge, "httpAddresses" | "httpsAddresses" | "judgeAddresses"> {
  /** Undefined where the edge is off. */
  readonly zones: Pick<ServedEdgeZones, "size" | "unreadSize" | "behindSince"> | undefined;
}

/** Octets of the keys by which Node.js encrypts the tickets of TLS. */
const ticketKeyOctets = 48;

/**
 * The edge as the settings describe it; where it is off, it listens nowhere and is not loaded. Stops with `opened`.
 * Resolves once the names of all zones are known, and it listens.
 */
export async function openEdge(
  opened: AsyncDisposableStack,
  config: Config,
  {
    context,
    index,
    snapshotFile,
    coreRules,
    runTask,
    lookUpAddresses,
    clientAddresses,
    connectMs,
    watchVisits,
    timers,
    logger,
    register,
    workerProgram,
  }: EdgeContext,
): Promise<OpenEdge> {
  const addresses = edgeAddressesOf(config);
  const { http, https, judge } = addresses;
  const all = [...http, ...https, ...judge];
  if (all.length === 0)
    return { httpAddresses: [], httpsAddresses: [], judgeAddresses: [], zones: undefined };
  const { ServedEdgeZones: Zones } = await import("./edge-zones.ts");
  const { serveVisitors, servingAt } = await import("./serve-visitors.ts");
  const { EdgeSnapshot } = await import("./edge-snapshot.ts");
  const { askInWorkers } = await import("./ask-core-rules.ts");
  const { askInThreads } = await import("./ask-rule-parts.ts");
  const { collectEdgeEvents } = await import("./edge-events.ts");
  const { takeSeedsOnce } = await import("../../edge/challenges/puzzle.ts");
  const zones = new Zones(context, index, logger, {
    snapshot:
      snapshotFile === undefined ? undefined : new EdgeSnapshot(snapshotFile, context.secretBox, logger),
    readyBytesMax: config.edge_ready_bytes_max,
    zonesBytesMax: config.edge_zones_bytes_max,
  });
  opened.defer(() => zones.stop());
  await zones.start();
  watchZones(zones, context.now, register);
  const events = collectEdgeEvents(context, logger, register);
  opened.defer(events.close);
  const ofAll = {
    connectMs,
    ownKey: ownChallengeKey(),
    ticketKeys: randomBytes(ticketKeyOctets),
  };
  const asks = {
    askCoreRules: askInWorkers(runTask),
    askRuleParts: askInThreads(opened),
    takeSeed: takeSeedsOnce(),
  };
  const isShared = config.edge_workers > 1 && http.length + https.length > 0;
  const shared = (those: readonly ListeningAddress[]): ListeningAddress[] =>
    those.map((one) => ({ ...one, isShared }));
  let tell: ((counted: Counted) => void) | undefined;
  if (isShared) await explainFailure(servingAt([...http, ...https]), () => refuseTaken([...http, ...https]));
  const { edge, counters } = await serveVisitors(config, {
    ...ofAll,
    ...asks,
    context,
    addresses: { http: shared(http), https: shared(https), judge },
    zones,
    lookUpAddresses,
    clientAddresses,
    watchVisits,
    store: events.add,
    ...(isShared && { tell: (counted: Counted) => tell?.(counted) }),
    logger,
    register,
  });
  let stopThreads = async (): Promise<void> => undefined;
  // At the same time, so that no thread takes what another one leaves.
  opened.defer(async () => void (await Promise.all([edge.close(), stopThreads()])));
  coreRules?.onChange(() => zones.compileAgain());
  if (isShared) {
    const { EdgeWorkers } = await import("./edge-workers.ts");
    const workers = new EdgeWorkers({
      ...asks,
      program: workerProgram,
      settings: {
        ...ofAll,
        config,
        location: context.db.location,
        secretKey: secretKeySourceOf(config),
        zones: zoneSettingsOf(config),
        snapshotFile,
        addresses: { http: shared(edge.bound.http), https: shared(edge.bound.https) },
      },
      coreRules: coreRules?.shared,
      onChange: context.db.onChange,
      store: events.add,
      counters,
      now: context.now,
      register,
      logger,
    });
    tell = workers.tell;
    stopThreads = () => workers.close();
    coreRules?.onChange(() => {
      zones.compileAgain();
      workers.tellCoreRules();
    });
    await explainFailure("starting the threads of the edge", () => workers.start(config.edge_workers - 1));
  }
  const { httpAddresses, httpsAddresses, judgeAddresses } = edge;
  const reported = { http: httpAddresses, https: httpsAddresses, judge: judgeAddresses };
  startEdgeReports(opened, context, { addresses: reported, zones }, { timers, logger });
  return { httpAddresses, httpsAddresses, judgeAddresses, zones };
}

/**
 * Throws what listening throws where another program listens: one that shares its port too would get part of the
 * visitors.
 */
async function refuseTaken(addresses: readonly ListeningAddress[]): Promise<void> {
  for (const { host, port } of addresses) {
    const attempt = createServer();
    await listen(attempt, { host, port });
    await stopListening(attempt);
  }
}

function watchZones(
  zones: Pick<
    ServedEdgeZones,
    "size" | "unreadSize" | "unkeptSize" | "octets" | "readySize" | "staleSize" | "behindSince"
  >,
  now: () => Date,
  register: Registry,
): void {
  const registers = [register];
  const zonesServed: Gauge = new Gauge({
    name: "zoneward_edge_zones",
    help: "Zones that the edge serves",
    registers,
    collect: () => zonesServed.set(zones.size),
  });
  const zonesUnread: Gauge = new Gauge({
    name: "zoneward_edge_zones_unread",
    help: "Those of them that the edge does not hold in memory; each is read when a visitor asks for it",
    registers,
    collect: () => zonesUnread.set(zones.unreadSize),
  });
  const zonesOctets: Gauge = new Gauge({
    name: "zoneward_edge_zones_bytes",
    help: "Memory of the zones that the edge holds, as it is estimated, of `edge_zones_bytes_max`",
    registers,
    collect: () => zonesOctets.set(zones.octets),
  });
  const zonesUnkept: Gauge = new Gauge({
    name: "zoneward_edge_zones_unkept",
    help: "Zones that the snapshot of an edge of its own does not have as the store does; 0 for an edge without one",
    registers,
    collect: () => zonesUnkept.set(zones.unkeptSize ?? 0),
  });
  const zonesReady: Gauge = new Gauge({
    name: "zoneward_edge_zones_ready",
    help: "Zones whose rules are ready to run; those of another one are compiled for its next request",
    registers,
    collect: () => zonesReady.set(zones.readySize),
  });
  const zonesStale: Gauge = new Gauge({
    name: "zoneward_edge_zones_stale",
    help: "Zones that the edge serves in an earlier version, as the present one cannot be read or compiled; the log says why",
    registers,
    collect: () => zonesStale.set(zones.staleSize),
  });
  const age: Gauge = new Gauge({
    name: "zoneward_edge_snapshot_age_seconds",
    help: "How long ago what the edge serves was what the store says; 0 while it is",
    registers,
    collect: () => age.set(ageSecondsOf(zones, now())),
  });
}

/** Age in seconds of the served zones; 0 while they equal the store. */
export function ageSecondsOf({ behindSince }: Pick<ServedEdgeZones, "behindSince">, now: Date): number {
  return behindSince === undefined ? 0 : Math.max(0, now.getTime() - behindSince.getTime()) / 1_000;
}
