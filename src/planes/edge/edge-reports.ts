import { randomBytes } from "node:crypto";
import { hostname } from "node:os";

import type { Logger } from "pino";

import type { Context } from "../../operation/context.ts";
import { forgetEdge, reportEdge } from "../../resources/edges/edges.ts";
import { toJson, toTimestamp } from "../../storage/columns.ts";
import type { EdgeAddresses } from "../../storage/schema/edges.ts";
import type { ServedEdgeZones } from "./edge-zones.ts";
import type { Timers } from "../../process/timer.ts";
import { version } from "../../process/version.ts";

const roundMs = 10_000;

interface ReportedEdge {
  readonly addresses: EdgeAddresses;
  readonly zones: Pick<ServedEdgeZones, "size" | "behindSince">;
}

/**
 * Lets an edge report itself to the store every ten seconds, until `opened` ends. Serving does not depend on
 * it.
 */
export function startEdgeReports(
  opened: AsyncDisposableStack,
  { db, now }: Pick<Context, "db" | "now">,
  { addresses, zones }: ReportedEdge,
  { timers, logger }: { readonly timers: Timers; readonly logger: Logger },
): void {
  const id = randomBytes(16).toString("hex");
  const started_on = toTimestamp(now());
  let isKnown = false;
  // Logged for debugging only: that the store is not available is logged elsewhere.
  const quietly = (error: unknown): void => {
    isKnown = false;
    logger.debug({ err: error }, "the edge could not report itself");
  };
  const report = async (): Promise<void> => {
    await reportEdge(db, {
      id,
      host: hostname(),
      software_version: version(),
      addresses: toJson(addresses),
      zones: zones.size,
      started_on,
      seen_on: toTimestamp(now()),
      behind_since: zones.behindSince === undefined ? null : toTimestamp(zones.behindSince),
    });
    isKnown = true;
  };
  const timer = timers.repeat("edge report", roundMs, () => report().catch(quietly));
  opened.defer(async () => {
    await timer.stop();
    if (isKnown) await forgetEdge(db, id).catch(quietly);
  });
  timer.wake();
}
