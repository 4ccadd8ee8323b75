import { setTimeout as delay } from "node:timers/promises";

import type { Logger } from "pino";
import { Counter, type Registry } from "prom-client";

import { decodeText } from "../../core/expression/byte-string.ts";
import { FairQueue } from "../../core/fair-queue.ts";
import { valuesOf } from "../../core/transforms/request-headers.ts";
import type { ServedRequest } from "../../edge/rules/run-rules.ts";
import {
  previousEventOf,
  securityEventsOf,
  storeSecurityEvents,
  toEventMatches,
  type Judgement,
  type NewSecurityEvent,
} from "../../resources/security-events/security-events.ts";
import type { Context } from "../../operation/context.ts";
import { fromJson, toJson } from "../../storage/columns.ts";
import type { Json } from "../../storage/schema/table.ts";
import { asUnavailable } from "../../storage/errors.ts";
import type { EventSampler } from "./event-sampler.ts";

/** Buffers the security events of visitors' requests until they are stored. */
export interface EdgeEvents {
  readonly add: (events: RequestEvents) => void;
  /** Stores the buffered events, as far as the store takes them in a few seconds. */
  readonly close: () => Promise<void>;
}

interface EventLimits {
  /**
   * Requests whose events wait to be stored; above it, the newest of the account with the most are counted and
   * dropped.
   */
  readonly waitingMax?: number;
  /** Characters of all events that wait. */
  readonly charactersMax?: number;
  readonly closeMsMax?: number;
}

const roundMs = 200;
/** Milliseconds between attempts while the store is not available. */
const retryMs = 1_000;
const batchMax = 500;
/** A batch ends with the request whose events reach it. */
const batchCharacters = 1024 * 1024;

/** The events of one request, as a text: rows would keep whatever header their fields were cut from. */
export interface RequestEvents {
  readonly zoneId: string;
  readonly accountId: string;
  readonly events: Json<readonly NewSecurityEvent[]>;
}

/** Finds the events of requests, of those that the sampler chooses; undefined where a request has none to store. */
export function findEvents(
  context: Pick<Context, "now" | "newId" | "newLogId">,
  sampler: EventSampler,
  register: Registry,
): (served: ServedRequest) => RequestEvents | undefined {
  const leftOut = new Counter({
    name: "zoneward_edge_events_left_out_total",
    help: "Requests whose security events were not stored, because those of other requests stand for them",
    registers: [register],
  });
  return (served) => {
    const judgement = judgementOf(served);
    if (judgement.matches.length === 0) return undefined;
    const { id: zoneId, accountId } = served.zone;
    const sampleInterval = sampler.intervalOf(zoneId);
    if (sampleInterval === 0) {
      leftOut.inc();
      return undefined;
    }
    const events = toJson(securityEventsOf(context, served.zone, { ...judgement, sampleInterval }));
    return { zoneId, accountId, events };
  };
}

/**
 * Stores security events in the background, many in a transaction. While the store is not available they
 * wait. Events whose transaction got no answer are sent again under the same ids, and stored once.
 */
export function collectEdgeEvents(
  context: Pick<Context, "db" | "now">,
  logger: Logger,
  register: Registry,
  { waitingMax = 10_000, charactersMax = 64 * 1024 * 1024, closeMsMax = 5_000 }: EventLimits = {},
): EdgeEvents {
  const dropped = new Counter({
    name: "zoneward_edge_events_dropped_total",
    help: "Requests whose security events were not stored, because too many waited or the store refused them",
    registers: [register],
  });
  const waiting = new FairQueue<RequestEvents>();
  /** Events whose turn it is to be stored. */
  let batch: readonly RequestEvents[] = [];
  let timer: NodeJS.Timeout | undefined;
  let storing: Promise<void> | undefined;
  let isAway = false;
  let isClosed = false;
  let lost = 0;

  const count = (): number => batch.length + waiting.length;
  const drop = (requests: number): void => {
    dropped.inc(requests);
    if (lost === 0) logger.warn("security events are lost, as too many wait to be stored");
    lost += requests;
  };
  /** Returns whether the store is available. */
  const storeZone = async (zoneId: string, ofZone: readonly RequestEvents[]): Promise<boolean> => {
    try {
      await storeSecurityEvents(
        context,
        { id: zoneId },
        ofZone.flatMap(({ events }) => fromJson(events)),
      );
      return true;
    } catch (error) {
      if (asUnavailable(error) !== undefined) return false;
      // The zone may have been deleted.
      dropped.inc(ofZone.length);
      logger.warn({ err: error }, "security events could not be stored");
      return true;
    }
  };
  const storeAll = async (): Promise<void> => {
    isAway = false;
    while (count() > 0 && !isAway) {
      if (batch.length === 0) batch = nextBatch(waiting);
      const stored = new Set<RequestEvents>();
      for (const [zoneId, ofZone] of Map.groupBy(batch, (one) => one.zoneId)) {
        isAway = !(await storeZone(zoneId, ofZone));
        if (isAway) break;
        for (const one of ofZone) stored.add(one);
      }
      batch = batch.filter((one) => !stored.has(one));
    }
    if (isAway || lost === 0) return;
    logger.warn({ requests: lost }, "security events were lost while the store was away or too slow");
    lost = 0;
  };
  const wake = (ms: number): void => {
    if (!isClosed) timer ??= setTimeout(() => void flush(), ms).unref();
  };
  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    storing ??= storeAll().finally(() => {
      storing = undefined;
      if (count() > 0) wake(isAway ? retryMs : roundMs);
    });
    return storing;
  };
  return {
    add: (events) => {
      const weight = Math.max(1, events.events.length, Math.floor(charactersMax / waitingMax));
      const out = waiting.addWithin(charactersMax, events.accountId, events, weight);
      if (out.length > 0) drop(out.length);
      if (waiting.length >= batchMax && !isAway) void flush();
      else wake(isAway ? retryMs : roundMs);
    },
    close: async () => {
      isClosed = true;
      const stored = flush().then(flush);
      await Promise.race([stored, delay(closeMsMax, undefined, { ref: false })]);
      if (count() > 0) logger.error({ requests: count() }, "security events are lost with the process");
    },
  };
}

/** Takes some of those that wait, of the accounts in turn. */
function nextBatch(waiting: FairQueue<RequestEvents>): readonly RequestEvents[] {
  const batch: RequestEvents[] = [];
  let characters = 0;
  while (batch.length < batchMax && characters < batchCharacters) {
    const one = waiting.take();
    if (one === undefined) break;
    batch.push(one);
    characters += one.events.length;
  }
  return batch;
}

function judgementOf({
  visitor,
  address,
  location,
  ray,
  colo,
  matches,
  previousMatches,
  originatorRay,
  owaspScores,
  edgeStatus,
  originStatus,
}: ServedRequest): Judgement {
  const textOf = (name: string): string => {
    const [value = ""] = valuesOf(visitor.headers, name);
    return decodeText(value) ?? value;
  };
  return {
    request: {
      ray,
      method: visitor.method,
      scheme: visitor.isSecure ? "https" : "http",
      host: visitor.hostname,
      path: visitor.path,
      query: visitor.query,
      protocol: visitor.protocol,
      userAgent: textOf("user-agent"),
      referer: textOf("referer"),
      address,
      country: location.country ?? "",
      ...(location.asn !== undefined && { asn: location.asn }),
      ...(location.asnDescription !== undefined && { asnDescription: location.asnDescription }),
      colo,
      ...(originatorRay !== undefined && { originatorRay }),
      edgeStatus,
      originStatus,
    },
    matches: [...toEventMatches(matches), ...previousMatches.map(previousEventOf)],
    metadata: {
      ...(owaspScores !== undefined && { owasp_scores: owaspScores.join(",") }),
    },
  };
}
