import type { Logger } from "pino";
import type { Registry } from "prom-client";

import { originNetworksOf } from "../../config/edge-settings.ts";
import { connectionsPerAddressMaxOf, type Config } from "../../config/settings.ts";
import { originRule } from "../../core/net/origin-address.ts";
import { startEdge, type EdgeOptions, type RunningEdge } from "../../edge/edge.ts";
import type { MatchedRulesLog } from "../../edge/rules/matched-rules-log.ts";
import { RateCounters, type Counted } from "../../edge/rules/rate-counters.ts";
import type { Locate } from "../../edge/request/visitor-location.ts";
import type { Context } from "../../operation/context.ts";
import { explainFailure } from "../../process/open-store.ts";
import type { SecretBox } from "../../secrets/secret-box.ts";
import { clientAddressesBehind } from "../../wire/client-address.ts";
import { connectionClient } from "../../wire/connections.ts";
import type { ListeningAddress } from "../../wire/listening.ts";
import { followChallengeKeys } from "./challenge-keys.ts";
import { findEvents, type RequestEvents } from "./edge-events.ts";
import type { ServedEdgeZones } from "./edge-zones.ts";
import { EventSampler } from "./event-sampler.ts";

/** Values that are the same in all threads of an edge. */
export interface ThreadsShare extends Pick<EdgeOptions, "connectMs" | "ticketKeys"> {
  /** Stands for the secret key where there is none. */
  readonly ownKey: Uint8Array;
}

interface VisitorContext
  extends
    ThreadsShare,
    Pick<
      EdgeOptions,
      "askCoreRules" | "askRuleParts" | "takeSeed" | "lookUpAddresses" | "clientAddresses" | "watchVisits"
    > {
  readonly context: Pick<Context, "now" | "newId" | "newLogId"> & { readonly secretBox: SecretBox };
  readonly addresses: Pick<EdgeOptions, "http" | "https" | "judge">;
  readonly zones: ServedEdgeZones;
  readonly store: (events: RequestEvents) => void;
  /** Tells other threads what was counted for rate limits. */
  readonly tell?: (counted: Counted) => void;
  readonly logger: Logger;
  readonly register: Registry;
}

/** Serves visitors in this thread, with `zones`. Throws what listening throws, and what reading files throws. */
export async function serveVisitors(
  config: Config,
  {
    context,
    addresses,
    zones,
    ownKey,
    clientAddresses,
    store,
    tell,
    logger,
    register,
    ...given
  }: VisitorContext,
): Promise<{ readonly edge: RunningEdge; readonly counters: RateCounters }> {
  const { now, secretBox } = context;
  const threads = config.edge_workers;
  const counters = new RateCounters(undefined, tell);
  const eventsOf = findEvents(context, new EventSampler({ threads }), register);
  const options: EdgeOptions = {
    ...given,
    ...addresses,
    threads,
    zones,
    counters,
    clientAddresses,
    mayAsk: clientAddressesBehind(config.edge_judge_peers).isTrusted,
    mayBeOrigin: originRule(originNetworksOf(config)),
    matchedRules: await openMatchedRulesLog(config, logger),
    failMode: config.edge_fail,
    challengeKeys: followChallengeKeys(secretBox, () => performance.now(), logger, Buffer.from(ownKey)),
    loopToken: () => zones.installation.loopToken,
    connectionsMax: config.connections_max,
    connectionsPerClientMax: connectionsPerAddressMaxOf(config),
    clientOf: connectionClient(clientAddresses),
    originAuthorities: () => zones.installation.authorities,
    locate: await openLocate(config, logger),
    judged: (served) => {
      const events = eventsOf(served);
      if (events !== undefined) store(events);
    },
    now,
    logger,
    register,
  };
  const { http, https, judge } = addresses;
  const edge = await explainFailure(servingAt([...http, ...https, ...judge]), () => startEdge(options));
  return { edge, counters };
}

/** The words for listening at some addresses, ahead of the reason why that failed. */
export const servingAt = (addresses: readonly ListeningAddress[]): string =>
  `serving visitors at ${addresses.map(({ host, port }) => `${host}, port ${port}`).join(" and ")}`;

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
