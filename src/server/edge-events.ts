import type { Logger } from "pino";
import { Counter, type Registry } from "prom-client";

import type { ServedRequest } from "../edge/serving.ts";
import {
  previousEventOf,
  recordSecurityEvents,
  toRuleActs,
  type Judgement,
} from "../resources/security-events/security-events.ts";
import type { Context } from "../operation/context.ts";

/** Keeps what rules did about visitors' requests until it is stored. */
export interface EdgeEvents {
  readonly add: (served: ServedRequest) => void;
  /** Stores what is left. */
  readonly close: () => Promise<void>;
}

const roundMs = 200;
const batchMax = 500;
/** Requests that wait to be stored; beyond, further ones are counted and dropped. */
const waitingMax = 10_000;

/** Stores security events beside the requests that they are about, many in a transaction. */
export function collectEdgeEvents(
  context: Pick<Context, "db" | "now" | "newId" | "newLogId">,
  logger: Logger,
  register: Registry,
): EdgeEvents {
  const dropped = new Counter({
    name: "zoneward_edge_events_dropped_total",
    help: "Requests whose security events were not stored, because too many waited or the store failed",
    registers: [register],
  });
  let waiting: { readonly zoneId: string; readonly judgement: Judgement }[] = [];
  let timer: NodeJS.Timeout | undefined;
  let storing: Promise<void> = Promise.resolve();

  const store = async (batch: typeof waiting): Promise<void> => {
    for (const [zoneId, ofZone] of Map.groupBy(batch, (one) => one.zoneId)) {
      try {
        await recordSecurityEvents(
          context,
          { id: zoneId },
          ofZone.map(({ judgement }) => judgement),
        );
      } catch (error) {
        // The zone may be gone.
        dropped.inc(ofZone.length);
        logger.warn({ err: error }, "security events could not be stored");
      }
    }
  };
  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const batch = waiting;
    waiting = [];
    if (batch.length > 0) storing = storing.then(() => store(batch));
    return storing;
  };
  return {
    add: (served) => {
      const judgement = judgementOf(served);
      if (judgement.acts.length === 0) return;
      if (waiting.length >= waitingMax) {
        dropped.inc();
        return;
      }
      waiting.push({ zoneId: served.zone.id, judgement });
      if (waiting.length >= batchMax) void flush();
      else timer ??= setTimeout(() => void flush(), roundMs).unref();
    },
    close: flush,
  };
}

function judgementOf({
  visitor,
  address,
  ray,
  acts,
  previousActs,
  originatorRay,
  edgeStatus,
  originStatus,
}: ServedRequest): Judgement {
  const valueOf = (name: string) => visitor.headers.find(([other]) => other === name)?.[1] ?? "";
  return {
    request: {
      ray,
      method: visitor.method,
      scheme: visitor.isSecure ? "https" : "http",
      host: visitor.host,
      path: visitor.path,
      query: visitor.query,
      protocol: visitor.protocol,
      userAgent: valueOf("user-agent"),
      referer: valueOf("referer"),
      address,
      country: "",
      edgeStatus,
      originStatus,
    },
    acts: [...toRuleActs(acts), ...previousActs.map(previousEventOf)],
    metadata: originatorRay === undefined ? {} : { originator_ray_name: originatorRay },
  };
}
