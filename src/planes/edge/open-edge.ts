import type { Logger } from "pino";
import { Gauge, type Registry } from "prom-client";

import { edgeAddressesOf, originNetworksOf } from "../../config/edge-settings.ts";
import { connectionsPerAddressMaxOf, type Config } from "../../config/settings.ts";
import { originRule } from "../../core/net/origin-address.ts";
import type { RunningEdge } from "../../edge/edge.ts";
import type { MatchedRulesLog } from "../../edge/rules/matched-rules-log.ts";
import type { LookUpAddresses } from "../../edge/zones/hosts.ts";
import type { Locate } from "../../edge/request/visitor-location.ts";
import { clientAddressesBehind, type ClientAddresses } from "../../wire/client-address.ts";
import { connectionClient } from "../../wire/connections.ts";
import type { TaskRunner } from "../../operation/task.ts";
import type { TaskContext } from "../../workers/serve-tasks.ts";
import type { Traffic } from "../../test-controls/traffic.ts";
import { followChallengeKeys } from "./challenge-keys.ts";
import type { EdgeSnapshot } from "./edge-snapshot.ts";
import type { ServedEdgeZones } from "./edge-zones.ts";
import type { EdgeZoneContext } from "./edge-zone-reader.ts";
import type { ActiveZones } from "../active-zones.ts";
import { explainFailure } from "../../process/open-store.ts";
import { startEdgeReports } from "./edge-reports.ts";
import type { Timers } from "../../process/timer.ts";

interface EdgeContext {
  readonly context: EdgeZoneContext;
  readonly index: ActiveZones;
  /** Calls a listener after each change of the Core Rule Set. */
  readonly onCoreRulesChange: (listener: () => void) => void;
  readonly runTask: TaskRunner<TaskContext>["runTask"];
  /** Served if the store is not available at the start. */
  readonly snapshot?: EdgeSnapshot;
  readonly lookUpAddresses: LookUpAddresses;
  readonly clientAddresses: ClientAddresses;
  readonly connectMs: number;
  /** Undefined where the test controls are off. */
  readonly watchVisits: Traffic["watchVisits"] | undefined;
  readonly timers: Timers;
  readonly logger: Logger;
  readonly register: Registry;
}

interface OpenEdge extends Omit<RunningEdge, "close"> {
  /** Undefined where the edge is off. */
  readonly zones: Pick<ServedEdgeZones, "size" | "unreadSize" | "behindSince"> | undefined;
}

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
    snapshot,
    onCoreRulesChange,
    runTask,
    lookUpAddresses,
    clientAddresses,
    connectMs,
    watchVisits,
    timers,
    logger,
    register,
  }: EdgeContext,
): Promise<OpenEdge> {
  const { http, https, judge } = edgeAddressesOf(config);
  const all = [...http, ...https, ...judge];
  if (all.length === 0)
    return { httpAddresses: [], httpsAddresses: [], judgeAddresses: [], zones: undefined };
  const { startEdge } = await import("../../edge/edge.ts");
  const { ServedEdgeZones } = await import("./edge-zones.ts");
  const { askInWorkers } = await import("./ask-core-rules.ts");
  const { askInThreads } = await import("./ask-rule-parts.ts");
  const { collectEdgeEvents } = await import("./edge-events.ts");
  const zones = new ServedEdgeZones(context, index, logger, {
    snapshot,
    readyBytesMax: config.edge_ready_bytes_max,
    zonesBytesMax: config.edge_zones_bytes_max,
  });
  opened.defer(() => zones.stop());
  await zones.start();
  onCoreRulesChange(() => zones.compileAgain());
  watchZones(zones, context.now, register);
  const events = collectEdgeEvents(context, logger, register);
  opened.defer(events.close);
  const matchedRules = await openMatchedRulesLog(config, logger);
  const locate = await openLocate(config, logger);
  const listening = `serving visitors at ${all.map(({ host, port }) => `${host}, port ${port}`).join(" and ")}`;
  const edge = await explainFailure(listening, () =>
    startEdge({
      http,
      https,
      judge,
      mayAsk: clientAddressesBehind(config.edge_judge_peers).isTrusted,
      zones,
      mayBeOrigin: originRule(originNetworksOf(config)),
      lookUpAddresses,
      clientAddresses,
      matchedRules,
      failMode: config.edge_fail,
      challengeKeys: followChallengeKeys(context.secretBox, () => performance.now(), logger),
      loopToken: () => zones.installation.loopToken,
      connectionsMax: config.connections_max,
      connectionsPerClientMax: connectionsPerAddressMaxOf(config),
      clientOf: connectionClient(clientAddresses),
      connectMs,
      watchVisits,
      originAuthorities: () => zones.installation.authorities,
      locate,
      askCoreRules: askInWorkers(runTask),
      askRuleParts: askInThreads(opened),
      judged: events.add,
      now: context.now,
      logger,
      register,
    }),
  );
  opened.defer(edge.close);
  const { httpAddresses, httpsAddresses, judgeAddresses } = edge;
  const addresses = { http: httpAddresses, https: httpsAddresses, judge: judgeAddresses };
  startEdgeReports(opened, context, { addresses, zones }, { timers, logger });
  return { ...edge, zones };
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

async function openLocate(
  { edge_location_databases: files }: Config,
  logger: Logger,
): Promise<Locate | undefined> {
  if (files.length === 0) return undefined;
  const { createLocate } = await import("../../edge/request/visitor-location.ts");
  const { readMaxMindDatabase } = await import("../../network/maxmind-database.ts");
  const databases = await Promise.all(
    files.map((file) => explainFailure(`reading ${file}`, () => readMaxMindDatabase(file))),
  );
  return createLocate(databases, (error) => logger.error({ err: error }, "an address cannot be located"));
}

async function openMatchedRulesLog(
  { edge_matched_rules_log: file, edge_matched_rules_header: header }: Config,
  logger: Logger,
): Promise<MatchedRulesLog | undefined> {
  if (file === undefined) return undefined;
  const { MatchedRulesLog: Log } = await import("../../edge/rules/matched-rules-log.ts");
  const onFailure = (error: unknown): void =>
    logger.error({ err: error }, "a line of `edge_matched_rules_log` could not be written");
  const log = new Log({ file, header, onFailure });
  await explainFailure(`writing ${file}`, () => log.open());
  return log;
}
